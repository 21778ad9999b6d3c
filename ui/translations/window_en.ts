<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Chain</name>
    <message numerus="yes">
        <source>%Ln token(s) written since it was loaded.</source>
        <translation>
            <numerusform>%Ln token written since it was loaded.</numerusform>
            <numerusform>%Ln tokens written since it was loaded.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>room for %n more user(s)</source>
        <translation>
            <numerusform>room for %n more user</numerusform>
            <numerusform>room for %n more users</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message numerus="yes">
        <source>%Ln more file(s) could not be put in either.</source>
        <translation>
            <numerusform>%Ln more file could not be put in either.</numerusform>
            <numerusform>%Ln more files could not be put in either.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message numerus="yes">
        <source>%Ln conversation(s) found.</source>
        <translation>
            <numerusform>%Ln conversation found.</numerusform>
            <numerusform>%Ln conversations found.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln conversation(s) imported.</source>
        <translation>
            <numerusform>%Ln conversation imported.</numerusform>
            <numerusform>%Ln conversations imported.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ExchangeDialogs</name>
    <message numerus="yes">
        <source>%Ln conversation(s) exported to {file}.</source>
        <translation>
            <numerusform>%Ln conversation exported to {file}.</numerusform>
            <numerusform>%Ln conversations exported to {file}.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ShowPage</name>
    <message numerus="yes">
        <source>%n more tries are allowed.</source>
        <translation>
            <numerusform>%n more try is allowed.</numerusform>
            <numerusform>%n more tries are allowed.</numerusform>
        </translation>
    </message>
</context>
</TS>
