<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutSection</name>
    <message>
        <source>About and trouble</source>
        <translation>Info und Hilfe</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Copy a report …</source>
        <translation>Bericht kopieren …</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>Datenordner</translation>
    </message>
    <message>
        <source>For whoever helps you. It holds no questions, answers, keys or names, and you see it first.</source>
        <translation>Ein Bericht für alle, die Ihnen helfen. Er enthält keine Fragen, Antworten, Schlüssel oder Namen, und Sie sehen ihn zuerst.</translation>
    </message>
    <message>
        <source>Idlepool is free software (Apache 2.0) and builds on the work of others.</source>
        <translation>Idlepool ist freie Software (Apache 2.0) und baut auf der Arbeit anderer auf.</translation>
    </message>
    <message>
        <source>Licences</source>
        <translation>Lizenzen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Open the data folder</source>
        <translation>Datenordner öffnen</translation>
    </message>
    <message>
        <source>Programs that Idlepool builds on, with their licences</source>
        <translation>Programme, auf denen Idlepool aufbaut, mit ihren Lizenzen</translation>
    </message>
    <message>
        <source>Show the licences</source>
        <translation>Lizenzen anzeigen</translation>
    </message>
    <message>
        <source>Show …</source>
        <translation>Anzeigen …</translation>
    </message>
    <message>
        <source>Something does not work</source>
        <translation>Etwas funktioniert nicht</translation>
    </message>
    <message>
        <source>Version {number}</source>
        <translation>Version {number}</translation>
    </message>
</context>
<context>
    <name>AddSection</name>
    <message>
        <source>A folder with an OpenVINO model stays where it is. It can be dragged here as well.</source>
        <translation>Ein Ordner mit einem OpenVINO-Modell bleibt, wo er ist. Sie können ihn auch hierher ziehen.</translation>
    </message>
    <message>
        <source>Choose a folder with an OpenVINO model</source>
        <translation>Ordner mit einem OpenVINO-Modell wählen</translation>
    </message>
    <message>
        <source>Choose a folder …</source>
        <translation>Ordner wählen …</translation>
    </message>
    <message>
        <source>From a folder</source>
        <translation>Aus einem Ordner</translation>
    </message>
    <message>
        <source>From the Hugging Face Hub, which only has to be reached until it is here:</source>
        <translation>Vom Hugging Face Hub. Er muss nur erreichbar sein, bis das Modell hier ist:</translation>
    </message>
</context>
<context>
    <name>AddingRow</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel fetching {name}?</source>
        <translation>{name} nicht weiter laden?</translation>
    </message>
    <message>
        <source>Checking every byte</source>
        <translation>Prüft jedes Byte</translation>
    </message>
    <message>
        <source>Converting for OpenVINO</source>
        <translation>Wandelt für OpenVINO um</translation>
    </message>
    <message>
        <source>Fetching</source>
        <translation>Lädt herunter</translation>
    </message>
    <message>
        <source>How much of {name} has come</source>
        <translation>Fortschritt von {name}</translation>
    </message>
    <message>
        <source>Keep them</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Not added</source>
        <translation>Nicht hinzugefügt</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Paused; it will begin anew</source>
        <translation>Pausiert; beginnt dann von vorn</translation>
    </message>
    <message>
        <source>Paused; what came is kept</source>
        <translation>Pausiert; das Bisherige bleibt erhalten</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove them</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>The {size} that have come would go from the disk. A pause keeps them.</source>
        <translation>Die {size}, die schon da sind, würden gelöscht. Bei einer Pause bleiben sie erhalten.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Waits for its turn</source>
        <translation>Wartet, bis es an der Reihe ist</translation>
    </message>
    <message>
        <source>nothing has come for {minutes} min; it is tried again and again</source>
        <translation>seit {minutes} min kommt nichts; es wird weiter versucht</translation>
    </message>
    <message>
        <source>nothing has come for {seconds} s</source>
        <translation>seit {seconds} s kommt nichts</translation>
    </message>
</context>
<context>
    <name>Amounts</name>
    <message>
        <source>about {hours} h {minutes} min left</source>
        <translation>noch etwa {hours} h {minutes} min</translation>
    </message>
    <message>
        <source>about {minutes} min left</source>
        <translation>noch etwa {minutes} min</translation>
    </message>
    <message>
        <source>context of {count} tokens</source>
        <translation>Kontext von {count} Token</translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation>noch weniger als eine Minute</translation>
    </message>
    <message>
        <source>{count} bytes</source>
        <translation>{count} Bytes</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} von {total}</translation>
    </message>
    <message>
        <source>{size}/s</source>
        <translation>{size}/s</translation>
    </message>
</context>
<context>
    <name>AnswerBubble</name>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Answered by {pc}</source>
        <translation>Beantwortet von {pc}</translation>
    </message>
    <message>
        <source>Longest length reached</source>
        <translation>Höchstlänge erreicht</translation>
    </message>
    <message>
        <source>Next in line</source>
        <translation>Als Nächstes an der Reihe</translation>
    </message>
    <message>
        <source>Number {place} in line</source>
        <translation>Nummer {place} in der Warteschlange</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
    <message>
        <source>The answer broke off when Idlepool ended.</source>
        <translation>Die Antwort ist abgebrochen, als Idlepool beendet wurde.</translation>
    </message>
    <message>
        <source>The answer broke off.</source>
        <translation>Die Antwort ist abgebrochen.</translation>
    </message>
    <message>
        <source>The model had nothing to say</source>
        <translation>Das Modell hatte nichts zu sagen</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>Denkt nach</translation>
    </message>
</context>
<context>
    <name>AnswerDetails</name>
    <message>
        <source>Answered by {pc}</source>
        <translation>Beantwortet von {pc}</translation>
    </message>
    <message>
        <source>Asked: {when}</source>
        <translation>Gefragt: {when}</translation>
    </message>
    <message>
        <source>First word after {time}</source>
        <translation>Erstes Wort nach {time}</translation>
    </message>
    <message>
        <source>Model: {name}</source>
        <translation>Modell: {name}</translation>
    </message>
    <message>
        <source>{accepted} of {drafted} guessed tokens were right</source>
        <translation>{accepted} von {drafted} vorausgeratenen Token waren richtig</translation>
    </message>
    <message>
        <source>{speed} tokens/s</source>
        <translation>{speed} Token/s</translation>
    </message>
    <message>
        <source>{tokens} tokens, after {prompt} of the conversation</source>
        <translation>{tokens} Token, nach {prompt} der Unterhaltung</translation>
    </message>
</context>
<context>
    <name>ApiSection</name>
    <message>
        <source>API for programs</source>
        <translation>API für Programme</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Another key</source>
        <translation>Anderer Schlüssel</translation>
    </message>
    <message>
        <source>Another one if it is taken.</source>
        <translation>Ein anderer, wenn dieser belegt ist.</translation>
    </message>
    <message>
        <source>Answer programs</source>
        <translation>Programmen antworten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Copy the address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Copy the example, with the key</source>
        <translation>Beispiel mit dem Schlüssel kopieren</translation>
    </message>
    <message>
        <source>Copy the key</source>
        <translation>Schlüssel kopieren</translation>
    </message>
    <message>
        <source>Every program that uses the old one is refused until you give it the new one.</source>
        <translation>Jedes Programm mit dem alten wird abgewiesen, bis Sie ihm den neuen geben.</translation>
    </message>
    <message>
        <source>Example</source>
        <translation>Beispiel</translation>
    </message>
    <message>
        <source>For a terminal.</source>
        <translation>Für ein Terminal.</translation>
    </message>
    <message>
        <source>KEY</source>
        <translation>SCHLÜSSEL</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>Make a new key</source>
        <translation>Neuen Schlüssel erzeugen</translation>
    </message>
    <message>
        <source>Make a new key?</source>
        <translation>Neuen Schlüssel erzeugen?</translation>
    </message>
    <message>
        <source>New key</source>
        <translation>Neuer Schlüssel</translation>
    </message>
    <message>
        <source>New key …</source>
        <translation>Neuer Schlüssel …</translation>
    </message>
    <message>
        <source>Only programs that run here, and only with the key.</source>
        <translation>Nur Programme, die hier laufen, und nur mit dem Schlüssel.</translation>
    </message>
    <message>
        <source>Other programs of this PC can ask your pool as they ask OpenAI&apos;s API. Nobody else in the network can.</source>
        <translation>Andere Programme dieses PCs können Ihren Pool so fragen, wie sie die API von OpenAI fragen. Sonst kann das niemand im Netzwerk.</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Programs must show it. Keep it to yourself.</source>
        <translation>Programme müssen ihn vorzeigen. Behalten Sie ihn für sich.</translation>
    </message>
    <message>
        <source>Programs that have the old one are refused.</source>
        <translation>Programme mit dem alten werden abgewiesen.</translation>
    </message>
    <message>
        <source>What programs call “base URL”.</source>
        <translation>In Programmen oft „Base URL“ genannt.</translation>
    </message>
</context>
<context>
    <name>AppMenu</name>
    <message>
        <source>Always lend</source>
        <translation>Immer verleihen</translation>
    </message>
    <message>
        <source>End snooze ({left})</source>
        <translation>Pause beenden ({left})</translation>
    </message>
    <message>
        <source>Lend when I am away</source>
        <translation>Verleihen, wenn ich weg bin</translation>
    </message>
    <message>
        <source>Never lend</source>
        <translation>Nie verleihen</translation>
    </message>
    <message>
        <source>Open chat</source>
        <translation>Chat öffnen</translation>
    </message>
    <message>
        <source>Pair PCs …</source>
        <translation>PCs koppeln …</translation>
    </message>
    <message>
        <source>Quit Idlepool</source>
        <translation>Idlepool beenden</translation>
    </message>
    <message>
        <source>Settings …</source>
        <translation>Einstellungen …</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Verleih pausieren</translation>
    </message>
    <message>
        <source>Stop lending now</source>
        <translation>Verleih sofort beenden</translation>
    </message>
    <message>
        <source>… and {count} more</source>
        <translation>… und {count} weitere</translation>
    </message>
</context>
<context>
    <name>AttachedFiles</name>
    <message>
        <source>Take {name} out of the message</source>
        <translation>{name} aus der Nachricht entfernen</translation>
    </message>
    <message>
        <source>about {n} tokens</source>
        <translation>etwa {n} Token</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message>
        <source>{name} cannot be read: {reason}.</source>
        <translation>{name} kann nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>{name} is no text file: only text can be put into a message.</source>
        <translation>{name} ist keine Textdatei: In eine Nachricht passt nur Text.</translation>
    </message>
    <message>
        <source>{name} is not a file.</source>
        <translation>{name} ist keine Datei.</translation>
    </message>
    <message>
        <source>{name} is too long for any model here. Attach a part of it.</source>
        <translation>{name} ist für jedes Modell hier zu lang. Hängen Sie einen Teil davon an.</translation>
    </message>
    <message>
        <source>{name} is too long: it has about {tokens} tokens, and there is room for about {room}. Attach a part of it.</source>
        <translation>{name} ist zu lang: Es sind etwa {tokens} Token, und Platz ist für etwa {room}. Hängen Sie einen Teil davon an.</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
</context>
<context>
    <name>Banners</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
</context>
<context>
    <name>Bridge</name>
    <message>
        <source>The engine of Idlepool could not start: {reason}.</source>
        <translation>Der Dienst von Idlepool konnte nicht starten: {reason}.</translation>
    </message>
    <message>
        <source>The engine of Idlepool crashed.</source>
        <translation>Der Dienst von Idlepool ist abgestürzt.</translation>
    </message>
    <message>
        <source>The engine of Idlepool did not answer and was ended.</source>
        <translation>Der Dienst von Idlepool hat nicht geantwortet und wurde beendet.</translation>
    </message>
    <message>
        <source>The engine of Idlepool ended unexpectedly (code {code}).</source>
        <translation>Der Dienst von Idlepool hat sich unerwartet beendet (Code {code}).</translation>
    </message>
</context>
<context>
    <name>CatalogueRows</name>
    <message>
        <source>By using it you agree to {terms}</source>
        <translation>Mit der Nutzung stimmen Sie diesen Bedingungen zu: {terms}</translation>
    </message>
    <message>
        <source>Get it</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>Licence: {licence}</source>
        <translation>Lizenz: {licence}</translation>
    </message>
    <message>
        <source>The disk is too full: {size} more must be free.</source>
        <translation>Der Datenträger ist zu voll: Es fehlen {size}.</translation>
    </message>
    <message>
        <source>{fetched} to fetch, {room} of the disk while it is made</source>
        <translation>{fetched} herunterzuladen, {room} Speicherplatz während der Umwandlung</translation>
    </message>
</context>
<context>
    <name>Chain</name>
    <message numerus="yes">
        <source>%Ln token(s) written since it was loaded.</source>
        <translation>
            <numerusform>%Ln Token geschrieben, seit es geladen wurde.</numerusform>
            <numerusform>%Ln Token geschrieben, seit es geladen wurde.</numerusform>
        </translation>
    </message>
    <message>
        <source>, {seconds} s</source>
        <translation>, {seconds} s</translation>
    </message>
    <message>
        <source>A step takes {computing} ms of computing and {links} ms on the way.</source>
        <translation>Ein Schritt braucht {computing} ms zum Rechnen und {links} ms unterwegs.</translation>
    </message>
    <message>
        <source>A step takes {ms} ms of computing; the links are not measured yet.</source>
        <translation>Ein Schritt braucht {ms} ms zum Rechnen; die Verbindungen sind noch nicht gemessen.</translation>
    </message>
    <message>
        <source>Answering: {speed} tokens/s, {ms} ms a step through all PCs.</source>
        <translation>Antwortet: {speed} Token/s, {ms} ms je Schritt durch alle PCs.</translation>
    </message>
    <message>
        <source>Being prepared. {detail}</source>
        <translation>Wird vorbereitet. {detail}</translation>
    </message>
    <message>
        <source>Loaded, and nobody is being answered.</source>
        <translation>Geladen, und niemand bekommt gerade eine Antwort.</translation>
    </message>
    <message>
        <source>Not loaded: this is how it would run. The layers are loaded with the next question.</source>
        <translation>Nicht geladen: So würde es laufen. Die Schichten werden mit der nächsten Frage geladen.</translation>
    </message>
    <message>
        <source>Planned anew it would run on {names}: about {speed} tokens/s for one person; {room}.</source>
        <translation>Neu geplant liefe es auf {names}: etwa {speed} Token/s für eine Person; {room}.</translation>
    </message>
    <message>
        <source>The chain is broken; it is made anew with the next question.</source>
        <translation>Die Kette ist unterbrochen; mit der nächsten Frage wird sie neu gebildet.</translation>
    </message>
    <message>
        <source>The speed is a guess from the size of the layers: not all of these PCs ran this model yet.</source>
        <translation>Das Tempo ist aus der Größe der Schichten geschätzt: Noch nicht alle dieser PCs haben dieses Modell betrieben.</translation>
    </message>
    <message>
        <source>The speed is a guess: not all links between these PCs are measured yet.</source>
        <translation>Das Tempo ist geschätzt: Noch sind nicht alle Verbindungen zwischen diesen PCs gemessen.</translation>
    </message>
    <message>
        <source>This plan: about {speed} tokens/s for one person; {room}.</source>
        <translation>Dieser Plan: etwa {speed} Token/s für eine Person; {room}.</translation>
    </message>
    <message>
        <source>Working out how this model would run …</source>
        <translation>Ermittelt, wie dieses Modell laufen würde …</translation>
    </message>
    <message>
        <source>device not known yet</source>
        <translation>Gerät noch nicht bekannt</translation>
    </message>
    <message>
        <source>fetching layers, {percent} %</source>
        <translation>lädt herunter, {percent} %</translation>
    </message>
    <message>
        <source>getting ready</source>
        <translation>macht sich bereit</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>nicht mehr da</translation>
    </message>
    <message>
        <source>layer {number}</source>
        <translation>Schicht {number}</translation>
    </message>
    <message>
        <source>layers {first}–{last}</source>
        <translation>Schichten {first}–{last}</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>lädt</translation>
    </message>
    <message>
        <source>memory not known yet</source>
        <translation>Speicher noch nicht bekannt</translation>
    </message>
    <message>
        <source>no room for a second user at the same time</source>
        <translation>kein Platz für eine zweite Person zur selben Zeit</translation>
    </message>
    <message numerus="yes">
        <source>room for %n more user(s)</source>
        <translation>
            <numerusform>Platz für %n weitere Person</numerusform>
            <numerusform>Platz für %n weitere Personen</numerusform>
        </translation>
    </message>
    <message>
        <source>speed not known yet</source>
        <translation>Tempo noch nicht bekannt</translation>
    </message>
    <message>
        <source>takes {used} GB</source>
        <translation>belegt {used} GB</translation>
    </message>
    <message>
        <source>takes {used} of {lent} GB</source>
        <translation>belegt {used} von {lent} GB</translation>
    </message>
    <message>
        <source>then {name}</source>
        <translation>dann {name}</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>{ms} ms</source>
        <translation>{ms} ms</translation>
    </message>
    <message>
        <source>{ms} ms a step</source>
        <translation>{ms} ms je Schritt</translation>
    </message>
    <message>
        <source>{ms} ms back to {name}</source>
        <translation>{ms} ms zurück zu {name}</translation>
    </message>
    <message>
        <source>{ms} ms to {name}</source>
        <translation>{ms} ms bis {name}</translation>
    </message>
    <message>
        <source>{name} (this PC)</source>
        <translation>{name} (dieser PC)</translation>
    </message>
    <message>
        <source>{used} GB planned</source>
        <translation>{used} GB geplant</translation>
    </message>
    <message>
        <source>{used} of {lent} GB planned</source>
        <translation>{used} von {lent} GB geplant</translation>
    </message>
</context>
<context>
    <name>ChainView</name>
    <message>
        <source>Chain of the PCs that run the model</source>
        <translation>Kette der PCs, die das Modell betreiben</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>Stopped</source>
        <translation>Gestoppt</translation>
    </message>
</context>
<context>
    <name>CheckLine</name>
    <message>
        <source>Checking: {share}</source>
        <translation>Prüfung: {share}</translation>
    </message>
    <message>
        <source>Every byte is right.</source>
        <translation>Jedes Byte stimmt.</translation>
    </message>
    <message>
        <source>Fetch it again</source>
        <translation>Neu herunterladen</translation>
    </message>
    <message>
        <source>Fetch what is wrong with {name} again</source>
        <translation>Fehlerhafte Teile von {name} neu herunterladen</translation>
    </message>
    <message>
        <source>Fetching again: {share}</source>
        <translation>Lädt neu herunter: {share}</translation>
    </message>
    <message>
        <source>How much of {name} is checked</source>
        <translation>Fortschritt der Prüfung von {name}</translation>
    </message>
    <message>
        <source>Looking for a PC that has it …</source>
        <translation>Sucht einen PC, der es hat …</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Stop checking {name}</source>
        <translation>Prüfung von {name} abbrechen</translation>
    </message>
    <message>
        <source>bytes {first} to {last}</source>
        <translation>Bytes {first} bis {last}</translation>
    </message>
    <message>
        <source>{count} parts of the weights</source>
        <translation>{count} Teile der Gewichte</translation>
    </message>
    <message>
        <source>{size} are damaged: {parts}.</source>
        <translation>{size} sind beschädigt: {parts}.</translation>
    </message>
    <message>
        <source>{size} were fetched again: every byte is right now.</source>
        <translation>{size} wurden neu heruntergeladen: Jetzt stimmt jedes Byte.</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Code: {language}</source>
        <translation>Code: {language}</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the code ({language})</source>
        <translation>Code kopieren ({language})</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message numerus="yes">
        <source>%Ln more file(s) could not be put in either.</source>
        <translation>
            <numerusform>%Ln weitere Datei ließ sich auch nicht einfügen.</numerusform>
            <numerusform>%Ln weitere Dateien ließen sich auch nicht einfügen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Do not edit it</source>
        <translation>Bearbeiten abbrechen</translation>
    </message>
    <message>
        <source>Do not edit it (Esc)</source>
        <translation>Bearbeiten abbrechen (Esc)</translation>
    </message>
    <message>
        <source>Editing an earlier message; it is kept as another version</source>
        <translation>Bearbeitung; die alte Fassung bleibt</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Put text files into the message</source>
        <translation>Textdateien in die Nachricht einfügen</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Send ({keys})</source>
        <translation>Senden ({keys})</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>Nachricht senden</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Antwort stoppen</translation>
    </message>
    <message>
        <source>Stop the answer ({keys})</source>
        <translation>Antwort stoppen ({keys})</translation>
    </message>
    <message>
        <source>Write a message</source>
        <translation>Nachricht schreiben</translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>Length of the conversation</source>
        <translation>Länge der Unterhaltung</translation>
    </message>
    <message>
        <source>{used} of {context} tokens: so much of what the model can hold is this conversation</source>
        <translation>{used} von {context} Token: So viel von dem, was das Modell fasst, belegt diese Unterhaltung</translation>
    </message>
</context>
<context>
    <name>ContextNotice</name>
    <message>
        <source>If full, leave out the oldest messages</source>
        <translation>Ist sie voll, die ältesten weglassen</translation>
    </message>
    <message>
        <source>Otherwise a question that does not fit is refused</source>
        <translation>Sonst wird eine Frage abgewiesen, die nicht hineinpasst</translation>
    </message>
    <message>
        <source>The model no longer sees the oldest {count} messages: the whole conversation has {tokens} tokens, and {context} is all it can hold, its answer included.</source>
        <translation>Das Modell sieht die ältesten {count} Nachrichten nicht mehr: Die ganze Unterhaltung hat {tokens} Token, und mehr als {context} fasst es nicht, seine Antwort eingeschlossen.</translation>
    </message>
    <message>
        <source>This conversation fills {tokens} of the {context} tokens that the model can hold.</source>
        <translation>Diese Unterhaltung füllt {tokens} der {context} Token, die das Modell fasst.</translation>
    </message>
</context>
<context>
    <name>ConversationDelegate</name>
    <message>
        <source>New title</source>
        <translation>Neuer Titel</translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message numerus="yes">
        <source>%Ln conversation(s) found.</source>
        <translation>
            <numerusform>%Ln Unterhaltung gefunden.</numerusform>
            <numerusform>%Ln Unterhaltungen gefunden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln conversation(s) imported.</source>
        <translation>
            <numerusform>%Ln Unterhaltung importiert.</numerusform>
            <numerusform>%Ln Unterhaltungen importiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Another file is being written or read. Wait for its end, or cancel it.</source>
        <translation>Eine andere Datei wird gerade geschrieben oder gelesen: ihr Ende abwarten oder abbrechen.</translation>
    </message>
    <message>
        <source>Begin a new conversation ({keys})</source>
        <translation>Neue Unterhaltung beginnen ({keys})</translation>
    </message>
    <message>
        <source>Export all …</source>
        <translation>Alle exportieren …</translation>
    </message>
    <message>
        <source>Import …</source>
        <translation>Importieren …</translation>
    </message>
    <message>
        <source>More about all conversations</source>
        <translation>Mehr zu allen Unterhaltungen</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>Neue Unterhaltung</translation>
    </message>
    <message>
        <source>Nothing found for “{words}”.</source>
        <translation>Nichts gefunden zu „{words}“.</translation>
    </message>
    <message>
        <source>Search all conversations ({keys})</source>
        <translation>Alle Unterhaltungen durchsuchen ({keys})</translation>
    </message>
    <message>
        <source>What you ask appears here. It is kept on this PC only.</source>
        <translation>Was Sie fragen, erscheint hier. Es bleibt nur auf diesem PC.</translation>
    </message>
</context>
<context>
    <name>ConversationModel</name>
    <message>
        <source>New conversation</source>
        <translation>Neue Unterhaltung</translation>
    </message>
    <message>
        <source>Older</source>
        <translation>Älter</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Previous 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>{title}, is being answered</source>
        <translation>{title}, wird gerade beantwortet</translation>
    </message>
    <message>
        <source>{title}, pinned</source>
        <translation>{title}, angeheftet</translation>
    </message>
    <message>
        <source>{title}: {snippet}</source>
        <translation>{title}: {snippet}</translation>
    </message>
</context>
<context>
    <name>ConversationSettings</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete these ready-made settings</source>
        <translation>Diese Vorlage löschen</translation>
    </message>
    <message>
        <source>For example: Answer briefly, in plain English.</source>
        <translation>Zum Beispiel: Antworte kurz und in einfachem Deutsch.</translation>
    </message>
    <message>
        <source>How it chooses its words</source>
        <translation>Wie es seine Wörter wählt</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Own settings</source>
        <translation>Eigene</translation>
    </message>
    <message>
        <source>Ready-made settings</source>
        <translation>Vorlagen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save as …</source>
        <translation>Speichern als …</translation>
    </message>
    <message>
        <source>Save these settings</source>
        <translation>Diese Einstellungen speichern</translation>
    </message>
    <message>
        <source>Settings of this conversation</source>
        <translation>Einstellungen dieser Unterhaltung</translation>
    </message>
    <message>
        <source>What the model is &amp;told beforehand</source>
        <translation>Was dem Modell &amp;vorab gesagt wird</translation>
    </message>
</context>
<context>
    <name>ConversationView</name>
    <message>
        <source>Conversations</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Export …</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Lösen</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>CopyField</name>
    <message>
        <source>Hide it</source>
        <translation>Verbergen</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>Anzeigen</translation>
    </message>
</context>
<context>
    <name>Desktop</name>
    <message>
        <source>Closing the window ends Idlepool; minimise it instead.</source>
        <translation>Wird das Fenster geschlossen, endet Idlepool; besser minimieren.</translation>
    </message>
    <message>
        <source>This desktop shows no tray icons.</source>
        <translation>Dieser Desktop zeigt keine Symbole im Infobereich.</translation>
    </message>
</context>
<context>
    <name>DetailsDialog</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>The report</source>
        <translation>Der Bericht</translation>
    </message>
    <message>
        <source>This is all that is copied. Questions, answers, keys, and the names of PCs, people and folders are left out: where one was, there is “…”.</source>
        <translation>Mehr wird nicht kopiert. Fragen, Antworten, Schlüssel und die Namen von PCs, Personen und Ordnern fehlen: Wo einer stand, steht „…“.</translation>
    </message>
</context>
<context>
    <name>DonePage</name>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>If it shows others, remove {name} again: somebody stood in between.</source>
        <translation>Zeigt er andere, entfernen Sie {name} wieder: Dann stand jemand dazwischen.</translation>
    </message>
    <message>
        <source>Paired with {name}</source>
        <translation>Gekoppelt mit {name}</translation>
    </message>
    <message>
        <source>The other screen shows the same four words:</source>
        <translation>Der andere Bildschirm zeigt dieselben vier Wörter:</translation>
    </message>
    <message>
        <source>Words to compare: {words}</source>
        <translation>Wörter zum Vergleichen: {words}</translation>
    </message>
</context>
<context>
    <name>Dots</name>
    <message>
        <source>Page {number} of {count}</source>
        <translation>Seite {number} von {count}</translation>
    </message>
</context>
<context>
    <name>DropHint</name>
    <message>
        <source>Drop text files here to put them into the message</source>
        <translation>Textdateien hier ablegen, um sie in die Nachricht einzufügen</translation>
    </message>
</context>
<context>
    <name>Elsewhere</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>loaded there</source>
        <translation>dort geladen</translation>
    </message>
    <message>
        <source>on {names}</source>
        <translation>auf {names}</translation>
    </message>
    <message>
        <source>{count} layers</source>
        <translation>{count} Schichten</translation>
    </message>
    <message>
        <source>{name} (does not lend at the moment)</source>
        <translation>{name} (verleiht im Moment nicht)</translation>
    </message>
</context>
<context>
    <name>ExchangeBar</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>{words}: cancel</source>
        <translation>{words}: abbrechen</translation>
    </message>
</context>
<context>
    <name>ExchangeDialogs</name>
    <message numerus="yes">
        <source>%Ln conversation(s) exported to {file}.</source>
        <translation>
            <numerusform>%Ln Unterhaltung nach {file} exportiert.</numerusform>
            <numerusform>%Ln Unterhaltungen nach {file} exportiert.</numerusform>
        </translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Exported conversations (*.md *.json)</source>
        <translation>Exportierte Unterhaltungen (*.md *.json)</translation>
    </message>
    <message>
        <source>Exporting to {file}</source>
        <translation>Export nach {file}</translation>
    </message>
    <message>
        <source>Import conversations</source>
        <translation>Unterhaltungen importieren</translation>
    </message>
    <message>
        <source>Importing {file}</source>
        <translation>Import von {file}</translation>
    </message>
    <message>
        <source>JSON, with all branches (*.json)</source>
        <translation>JSON, mit allen Zweigen (*.json)</translation>
    </message>
    <message>
        <source>Markdown, to read (*.md)</source>
        <translation>Markdown, zum Lesen (*.md)</translation>
    </message>
    <message>
        <source>The conversation was deleted meanwhile; nothing was exported.</source>
        <translation>Die Unterhaltung wurde inzwischen gelöscht; nichts wurde exportiert.</translation>
    </message>
    <message>
        <source>{file} could not be read: {reason}.</source>
        <translation>{file} konnte nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>{file} could not be written: {reason}.</source>
        <translation>{file} konnte nicht geschrieben werden: {reason}.</translation>
    </message>
</context>
<context>
    <name>Failure</name>
    <message>
        <source>Ask again</source>
        <translation>Noch einmal fragen</translation>
    </message>
    <message>
        <source>Drop the plan made by hand for this model, and ask again</source>
        <translation>Den von Hand gemachten Plan für dieses Modell verwerfen und erneut fragen</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Plan automatically</source>
        <translation>Automatisch planen</translation>
    </message>
    <message>
        <source>Write the rest of this answer</source>
        <translation>Den Rest dieser Antwort schreiben</translation>
    </message>
</context>
<context>
    <name>Farewell</name>
    <message>
        <source>An answer is being written.</source>
        <translation>Eine Antwort wird gerade geschrieben.</translation>
    </message>
    <message>
        <source>Do not quit</source>
        <translation>Nicht beenden</translation>
    </message>
    <message>
        <source>Go on lending</source>
        <translation>Weiter verleihen</translation>
    </message>
    <message>
        <source>If you quit now, what was said since then is lost. A conversation can be exported to another disk.</source>
        <translation>Wenn Sie jetzt beenden, geht verloren, was seitdem gesagt wurde. Eine Unterhaltung lässt sich auf einen anderen Datenträger exportieren.</translation>
    </message>
    <message>
        <source>If you quit, it breaks off. What there is of it is kept, and “Go on” has the rest written later.</source>
        <translation>Beim Beenden bricht sie ab. Was davon da ist, bleibt erhalten, und „Weiter“ lässt später den Rest schreiben.</translation>
    </message>
    <message>
        <source>If you quit, their answers go on without this PC where others can take over, and wait where none can.</source>
        <translation>Wenn Sie beenden, gehen deren Antworten ohne diesen PC weiter, wo andere übernehmen können, und warten, wo es keiner kann.</translation>
    </message>
    <message>
        <source>Let it finish</source>
        <translation>Zu Ende schreiben lassen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Quit Idlepool?</source>
        <translation>Idlepool beenden?</translation>
    </message>
</context>
<context>
    <name>Fetched</name>
    <message>
        <source>Remove fetched layers ({size})</source>
        <translation>Heruntergeladene Schichten entfernen ({size})</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>in Gebrauch</translation>
    </message>
    <message>
        <source>layers {spans} of {count}</source>
        <translation>Schichten {spans} von {count}</translation>
    </message>
    <message>
        <source>never used</source>
        <translation>nie benutzt</translation>
    </message>
    <message>
        <source>parts of layers</source>
        <translation>Teile von Schichten</translation>
    </message>
    <message>
        <source>used today</source>
        <translation>heute benutzt</translation>
    </message>
    <message>
        <source>used yesterday</source>
        <translation>gestern benutzt</translation>
    </message>
    <message>
        <source>used {days} days ago</source>
        <translation>vor {days} Tagen benutzt</translation>
    </message>
    <message>
        <source>{size} of the disk are free again.</source>
        <translation>{size} Speicherplatz sind wieder frei.</translation>
    </message>
    <message>
        <source>{size} stay: they are in use.</source>
        <translation>{size} bleiben: Sie sind in Gebrauch.</translation>
    </message>
</context>
<context>
    <name>FirstModel</name>
    <message>
        <source>Get the starter model (93 MB)</source>
        <translation>Startmodell holen (93 MB)</translation>
    </message>
    <message>
        <source>No model is here yet</source>
        <translation>Noch ist kein Modell hier</translation>
    </message>
    <message>
        <source>Progress of the model</source>
        <translation>Fortschritt des Modells</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>The starter model is small, quick on any PC, and free to use (Apache 2.0).</source>
        <translation>Das Startmodell ist klein, auf jedem PC schnell und frei nutzbar (Apache 2.0).</translation>
    </message>
    <message>
        <source>{step} …</source>
        <translation>{step} …</translation>
    </message>
    <message>
        <source>{step}: {done} MB</source>
        <translation>{step}: {done} MB</translation>
    </message>
    <message>
        <source>{step}: {done} of {total} MB</source>
        <translation>{step}: {done} von {total} MB</translation>
    </message>
</context>
<context>
    <name>FirstRun</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>Weiter</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Start chatting</source>
        <translation>Chat beginnen</translation>
    </message>
    <message>
        <source>Welcome to Idlepool</source>
        <translation>Willkommen bei Idlepool</translation>
    </message>
</context>
<context>
    <name>FirstSteps</name>
    <message>
        <source>One PC shows a code, the other one is told it. Idlepool must run on both.</source>
        <translation>Ein PC zeigt einen Code, auf dem anderen geben Sie ihn ein. Idlepool muss auf beiden laufen.</translation>
    </message>
    <message>
        <source>Other PCs</source>
        <translation>Andere PCs</translation>
    </message>
    <message>
        <source>Pair PCs …</source>
        <translation>PCs koppeln …</translation>
    </message>
    <message>
        <source>Paired with {names}</source>
        <translation>Gekoppelt mit {names}</translation>
    </message>
    <message>
        <source>Ready to begin</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>With one PC and a small model you can chat at once. More PCs can carry larger models.</source>
        <translation>Mit einem PC und einem kleinen Modell können Sie sofort chatten. Mehr PCs tragen größere Modelle.</translation>
    </message>
</context>
<context>
    <name>Fit</name>
    <message>
        <source>Checking whether your PCs can carry it …</source>
        <translation>Prüft, ob Ihre PCs es tragen können …</translation>
    </message>
    <message>
        <source>Fits on one PC</source>
        <translation>Passt auf einen PC</translation>
    </message>
    <message>
        <source>Fits on {count} PCs</source>
        <translation>Passt auf {count} PCs</translation>
    </message>
    <message>
        <source>Needs about {needed} of memory: {who} {lent}</source>
        <translation>Braucht etwa {needed} Arbeitsspeicher: {who} {lent}</translation>
    </message>
    <message>
        <source>Needs about {needed} of memory: {who} {lent}, {missing} too little</source>
        <translation>Braucht etwa {needed} Arbeitsspeicher: {who} {lent}, {missing} zu wenig</translation>
    </message>
    <message>
        <source>Needs {needed}: {who} {lent}, {missing} too little.</source>
        <translation>Braucht {needed}: {who} {lent}, {missing} zu wenig.</translation>
    </message>
    <message>
        <source>Pair another PC, or let a PC lend more of its memory.</source>
        <translation>Koppeln Sie einen weiteren PC, oder lassen Sie einen PC mehr Arbeitsspeicher verleihen.</translation>
    </message>
    <message>
        <source>about {speed} tokens/s</source>
        <translation>etwa {speed} Token/s</translation>
    </message>
    <message>
        <source>needs {needed} of {lent} lent</source>
        <translation>braucht {needed} der verliehenen {lent}</translation>
    </message>
    <message>
        <source>this PC lends</source>
        <translation>dieser PC verleiht</translation>
    </message>
    <message>
        <source>your {count} PCs lend</source>
        <translation>Ihre {count} PCs verleihen</translation>
    </message>
    <message>
        <source>{speed} tokens/s as measured</source>
        <translation>{speed} Token/s, gemessen</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Begin a new conversation ({keys})</source>
        <translation>Neue Unterhaltung beginnen ({keys})</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>New conversation</source>
        <translation>Neue Unterhaltung</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>Not running</source>
        <translation>Läuft nicht</translation>
    </message>
    <message>
        <source>PCs of this pool: {words}</source>
        <translation>PCs dieses Pools: {words}</translation>
    </message>
    <message>
        <source>Pair PCs …</source>
        <translation>PCs koppeln …</translation>
    </message>
    <message>
        <source>Settings of this conversation</source>
        <translation>Einstellungen dieser Unterhaltung</translation>
    </message>
    <message>
        <source>Settings of this conversation ({keys})</source>
        <translation>Einstellungen dieser Unterhaltung ({keys})</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>Take another PC into the pool, or out of it</source>
        <translation>Einen PC in den Pool aufnehmen oder daraus entfernen</translation>
    </message>
    <message>
        <source>The model that answers</source>
        <translation>Das Modell, das antwortet</translation>
    </message>
    <message>
        <source>{model} (on {pc})</source>
        <translation>{model} (auf {pc})</translation>
    </message>
</context>
<context>
    <name>HereSection</name>
    <message>
        <source>Checking what is here …</source>
        <translation>Prüft, was hier ist …</translation>
    </message>
    <message>
        <source>No model is on this PC yet.</source>
        <translation>Auf diesem PC ist noch kein Modell.</translation>
    </message>
    <message>
        <source>No model is on this PC yet. Get one below: the first in the list is small.</source>
        <translation>Auf diesem PC ist noch kein Modell. Holen Sie unten eines: Das erste in der Liste ist klein.</translation>
    </message>
</context>
<context>
    <name>History</name>
    <message>
        <source>A newer Idlepool wrote {file}. Update this one: what is said until then is lost at its end.</source>
        <translation>{file} stammt von einem neueren Idlepool. Aktualisieren Sie dieses: Was bis dahin gesagt wird, geht beim Beenden verloren.</translation>
    </message>
    <message>
        <source>Another program holds {file}: conversations are only kept in memory until it lets go.</source>
        <translation>Ein anderes Programm sperrt {file}: Unterhaltungen bleiben nur im Arbeitsspeicher, bis es die Datei freigibt.</translation>
    </message>
    <message>
        <source>The disk is full: conversations are only kept in memory until there is room on it.</source>
        <translation>Der Datenträger ist voll: Unterhaltungen bleiben nur im Arbeitsspeicher, bis wieder Platz ist.</translation>
    </message>
    <message>
        <source>The file of conversations was damaged. {rescued} messages could be read and are in a new one; the old one is kept as {aside}.</source>
        <translation>Die Datei der Unterhaltungen war beschädigt. {rescued} Nachrichten waren lesbar und stehen in einer neuen; die alte heißt jetzt {aside}.</translation>
    </message>
    <message>
        <source>{file} cannot be opened: conversations are only kept in memory until it can.</source>
        <translation>{file} lässt sich nicht öffnen: Unterhaltungen bleiben bis dahin nur im Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>{file} cannot be written: conversations are only kept in memory until that is allowed.</source>
        <translation>{file} lässt sich nicht schreiben: Unterhaltungen bleiben bis dahin nur im Arbeitsspeicher.</translation>
    </message>
    <message>
        <source>{file} holds no conversations that Idlepool exported.</source>
        <translation>{file} enthält keine Unterhaltungen, die Idlepool exportiert hat.</translation>
    </message>
    <message>
        <source>{file} is larger than {most} MB.</source>
        <translation>{file} ist größer als {most} MB.</translation>
    </message>
</context>
<context>
    <name>HoursGrid</name>
    <message>
        <source>Hours of the week</source>
        <translation>Stunden der Woche</translation>
    </message>
    <message>
        <source>may be lent</source>
        <translation>darf verliehen werden</translation>
    </message>
    <message>
        <source>nothing is lent</source>
        <translation>nichts wird verliehen</translation>
    </message>
    <message>
        <source>{day}, {first}:00 to {last}:00: {state}. Arrow keys move, the space bar changes it.</source>
        <translation>{day}, {first}:00 bis {last}:00: {state}. Pfeiltasten bewegen, die Leertaste ändert es.</translation>
    </message>
</context>
<context>
    <name>HoursRow</name>
    <message>
        <source>Every hour</source>
        <translation>Jede Stunde</translation>
    </message>
    <message>
        <source>Hours of the week</source>
        <translation>Stunden der Woche</translation>
    </message>
    <message>
        <source>Hours of the week as text</source>
        <translation>Stunden der Woche als Text</translation>
    </message>
    <message>
        <source>No hour is left. To lend nothing at all, choose “Never” above.</source>
        <translation>Es bleibt keine Stunde. Um gar nichts zu verleihen, wählen Sie oben „Nie“.</translation>
    </message>
    <message>
        <source>Paint the hours, or write them. Coloured: this PC may lend.</source>
        <translation>Malen Sie die Stunden, oder schreiben Sie sie. Farbig: Dieser PC darf verleihen.</translation>
    </message>
    <message>
        <source>“{part}” is not understood. Write it like this: {example}</source>
        <translation>„{part}“ ist nicht verständlich. Schreiben Sie es so: {example}</translation>
    </message>
</context>
<context>
    <name>HubFinder</name>
    <message>
        <source>Asking how large {name} is …</source>
        <translation>Fragt, wie groß {name} ist …</translation>
    </message>
    <message>
        <source>Asking the Hugging Face Hub …</source>
        <translation>Fragt den Hugging Face Hub …</translation>
    </message>
    <message>
        <source>Get it ({size})</source>
        <translation>Holen ({size})</translation>
    </message>
    <message>
        <source>It is here, or on its way.</source>
        <translation>Es ist hier oder unterwegs.</translation>
    </message>
    <message>
        <source>Licence: {licence}</source>
        <translation>Lizenz: {licence}</translation>
    </message>
    <message>
        <source>Nothing was heard of the Hub: Idlepool&apos;s engine ended. Ask again.</source>
        <translation>Vom Hub kam nichts: Der Dienst von Idlepool wurde beendet. Fragen Sie noch einmal.</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search for a model on the Hugging Face Hub</source>
        <translation>Auf dem Hugging Face Hub nach einem Modell suchen</translation>
    </message>
    <message>
        <source>Show popular ones</source>
        <translation>Beliebte zeigen</translation>
    </message>
    <message>
        <source>Size and fit</source>
        <translation>Größe und Eignung</translation>
    </message>
    <message>
        <source>The Hub has no such model for OpenVINO.</source>
        <translation>Der Hub hat kein solches Modell für OpenVINO.</translation>
    </message>
    <message>
        <source>The disk is too full: {size} more must be free.</source>
        <translation>Der Datenträger ist zu voll: Es fehlen {size}.</translation>
    </message>
    <message>
        <source>Words, OWNER/NAME, or the address of a model</source>
        <translation>Wörter, BESITZER/NAME oder die Adresse eines Modells</translation>
    </message>
    <message>
        <source>fetched {count} times a month</source>
        <translation>{count} Downloads im Monat</translation>
    </message>
    <message>
        <source>its source names none</source>
        <translation>die Quelle nennt keine</translation>
    </message>
</context>
<context>
    <name>JointSelection</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy the link</source>
        <translation>Link kopieren</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>LendingNow</name>
    <message>
        <source>End snooze</source>
        <translation>Pause beenden</translation>
    </message>
    <message>
        <source>Everything is given back within two seconds; nothing is lent for an hour.</source>
        <translation>Alles wird binnen zwei Sekunden zurückgegeben; eine Stunde lang wird nichts verliehen.</translation>
    </message>
    <message>
        <source>Not known yet.</source>
        <translation>Noch nicht bekannt.</translation>
    </message>
    <message>
        <source>Snooze</source>
        <translation>Pause</translation>
    </message>
    <message>
        <source>Stop now</source>
        <translation>Sofort beenden</translation>
    </message>
    <message>
        <source>Until {clock}, in {hours} h {minutes} min.</source>
        <translation>Bis {clock}, in {hours} h {minutes} min.</translation>
    </message>
    <message>
        <source>Until {clock}, in {minutes} min.</source>
        <translation>Bis {clock}, in {minutes} min.</translation>
    </message>
    <message>
        <source>Until {clock}.</source>
        <translation>Bis {clock}.</translation>
    </message>
</context>
<context>
    <name>LendingSection</name>
    <message>
        <source>A game, a film or a talk is left alone.</source>
        <translation>Ein Spiel, ein Film oder ein Vortrag bleibt ungestört.</translation>
    </message>
    <message>
        <source>A network that costs by the byte, such as a phone&apos;s.</source>
        <translation>Ein Netzwerk, das nach Verbrauch abgerechnet wird, etwa das eines Handys.</translation>
    </message>
    <message>
        <source>Also while you work. All other rules hold all the same.</source>
        <translation>Auch während Sie arbeiten. Alle anderen Regeln gelten trotzdem.</translation>
    </message>
    <message>
        <source>Always</source>
        <translation>Immer</translation>
    </message>
    <message>
        <source>At most this share of the memory is given.</source>
        <translation>Höchstens dieser Anteil des Arbeitsspeichers wird verliehen.</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Disk for others</source>
        <translation>Datenträger für andere</translation>
    </message>
    <message>
        <source>For layers that are fetched for others. Automatic: a tenth of what is free.</source>
        <translation>Für Schichten, die für andere heruntergeladen werden. Automatisch: ein Zehntel des freien Platzes.</translation>
    </message>
    <message>
        <source>It does not go to sleep while others use it; on mains only.</source>
        <translation>Er geht nicht in den Ruhezustand, solange andere ihn nutzen; nur am Stromnetz.</translation>
    </message>
    <message>
        <source>Keep it awake</source>
        <translation>Wach halten</translation>
    </message>
    <message>
        <source>Lend on battery</source>
        <translation>Im Akkubetrieb verleihen</translation>
    </message>
    <message>
        <source>Lend on metered networks</source>
        <translation>In getakteten Netzwerken verleihen</translation>
    </message>
    <message>
        <source>Lending</source>
        <translation>Verleihen</translation>
    </message>
    <message>
        <source>Memory for others</source>
        <translation>Arbeitsspeicher für andere</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Not hotter than</source>
        <translation>Nicht heißer als</translation>
    </message>
    <message>
        <source>Not while a program fills the screen</source>
        <translation>Nicht, während ein Programm den Bildschirm füllt</translation>
    </message>
    <message>
        <source>Off: it lends only while it is plugged in.</source>
        <translation>Aus: Er verleiht nur am Stromnetz.</translation>
    </message>
    <message>
        <source>Only while it is charged above</source>
        <translation>Nur bei einer Ladung über</translation>
    </message>
    <message>
        <source>Others get what you do not use; you come first.</source>
        <translation>Andere bekommen, was Sie nicht nutzen; Sie haben Vorrang.</translation>
    </message>
    <message>
        <source>This PC lends</source>
        <translation>Dieser PC verleiht</translation>
    </message>
    <message>
        <source>Unused for</source>
        <translation>Unbenutzt seit</translation>
    </message>
    <message>
        <source>When nobody uses it</source>
        <translation>Wenn ihn niemand benutzt</translation>
    </message>
    <message>
        <source>When the other PCs of your pool may compute on this one.</source>
        <translation>Wann die anderen PCs Ihres Pools auf diesem rechnen dürfen.</translation>
    </message>
    <message>
        <source>Where the temperature can be read; above that, nothing is lent.</source>
        <translation>Wo sich die Temperatur ablesen lässt; darüber wird nichts verliehen.</translation>
    </message>
    <message>
        <source>Without keyboard and mouse. At your first key it stops at once.</source>
        <translation>Ohne Eingaben mit Tastatur und Maus. Beim ersten Tastendruck endet es sofort.</translation>
    </message>
    <message>
        <source>You can still use the PCs of the others.</source>
        <translation>Die PCs der anderen können Sie weiter nutzen.</translation>
    </message>
    <message>
        <source>min</source>
        <translation>min</translation>
    </message>
</context>
<context>
    <name>LendingStatus</name>
    <message>
        <source>Opens the menu of lending</source>
        <translation>Öffnet das Menü zum Verleihen</translation>
    </message>
</context>
<context>
    <name>LendingWords</name>
    <message>
        <source>A program fills the screen</source>
        <translation>Vollbildprogramm läuft</translation>
    </message>
    <message>
        <source>A program runs that wants this PC for itself</source>
        <translation>Programm braucht den PC</translation>
    </message>
    <message>
        <source>All the disk space you lend is in use</source>
        <translation>Speicherplatz belegt</translation>
    </message>
    <message>
        <source>All the memory you lend is in use</source>
        <translation>Arbeitsspeicher belegt</translation>
    </message>
    <message>
        <source>For 1 hour</source>
        <translation>Für 1 Stunde</translation>
    </message>
    <message>
        <source>For 30 minutes</source>
        <translation>Für 30 Minuten</translation>
    </message>
    <message>
        <source>Idlepool cannot tell whether you use this PC</source>
        <translation>Nutzung nicht erkennbar</translation>
    </message>
    <message>
        <source>Idlepool was started to lend always (--lend always), so no rules hold. To choose again, end it and start it without that.</source>
        <translation>Idlepool wurde so gestartet, dass es immer verleiht (--lend always); deshalb gelten keine Regeln. Um wieder zu wählen, Idlepool beenden und ohne das starten.</translation>
    </message>
    <message>
        <source>Layer {layer} of {model} for {pc}</source>
        <translation>Schicht {layer} von {model} für {pc}</translation>
    </message>
    <message>
        <source>Layers {first}–{last} of {model} for {pc}</source>
        <translation>Schichten {first}–{last} von {model} für {pc}</translation>
    </message>
    <message>
        <source>Lending to {count} PCs</source>
        <translation>Verleiht an {count} PCs</translation>
    </message>
    <message>
        <source>Lending to {pc}</source>
        <translation>Verleiht an {pc}</translation>
    </message>
    <message>
        <source>Nobody uses this PC</source>
        <translation>Gerade unbenutzt</translation>
    </message>
    <message>
        <source>Outside the hours you chose</source>
        <translation>Außerhalb der Stunden</translation>
    </message>
    <message>
        <source>Snoozed until {time}</source>
        <translation>Pausiert bis {time}</translation>
    </message>
    <message>
        <source>The battery is low</source>
        <translation>Der Akku ist schwach</translation>
    </message>
    <message>
        <source>The network is metered</source>
        <translation>Das Netzwerk ist getaktet</translation>
    </message>
    <message>
        <source>This PC goes to sleep or is shut down</source>
        <translation>Ruht oder fährt herunter</translation>
    </message>
    <message>
        <source>This PC is too hot</source>
        <translation>Dieser PC ist zu heiß</translation>
    </message>
    <message>
        <source>This PC runs on battery</source>
        <translation>Läuft im Akkubetrieb</translation>
    </message>
    <message>
        <source>Until the morning ({time})</source>
        <translation>Bis zum Morgen ({time})</translation>
    </message>
    <message>
        <source>Until tomorrow ({time})</source>
        <translation>Bis morgen ({time})</translation>
    </message>
    <message>
        <source>You chose to lend always</source>
        <translation>Sie verleihen immer</translation>
    </message>
    <message>
        <source>You chose to lend nothing</source>
        <translation>Sie verleihen nichts</translation>
    </message>
    <message>
        <source>You use this PC</source>
        <translation>Sie benutzen diesen PC</translation>
    </message>
    <message>
        <source>a model</source>
        <translation>ein Modell</translation>
    </message>
    <message>
        <source>{day} {time}</source>
        <translation>{day} {time}</translation>
    </message>
    <message>
        <source>{hours} h {minutes} min left</source>
        <translation>noch {hours} h {minutes} min</translation>
    </message>
    <message>
        <source>{minutes} min left</source>
        <translation>noch {minutes} min</translation>
    </message>
    <message>
        <source>{what} · {memory}, since {time}</source>
        <translation>{what} · {memory}, seit {time}</translation>
    </message>
</context>
<context>
    <name>Licences</name>
    <message>
        <source>see its files</source>
        <translation>siehe die Dateien des Pakets</translation>
    </message>
</context>
<context>
    <name>LinkPanel</name>
    <message>
        <source>Far away: each token waits for it. Better not in one chain.</source>
        <translation>Weit entfernt: Jedes Token wartet darauf. Besser nicht in einer Kette.</translation>
    </message>
    <message>
        <source>From this PC</source>
        <translation>Von diesem PC</translation>
    </message>
    <message>
        <source>Good: it costs next to nothing.</source>
        <translation>Gut: Sie kostet so gut wie nichts.</translation>
    </message>
    <message>
        <source>No other PC is here to test a link to.</source>
        <translation>Kein anderer PC ist da, zu dem sich eine Verbindung testen lässt.</translation>
    </message>
    <message>
        <source>PC</source>
        <translation>PC</translation>
    </message>
    <message>
        <source>Round trip</source>
        <translation>Hin und zurück</translation>
    </message>
    <message>
        <source>Sends a few megabytes to each PC and back: two seconds or less for each.</source>
        <translation>Sendet einige Megabyte zu jedem PC und zurück: höchstens zwei Sekunden für jeden.</translation>
    </message>
    <message>
        <source>Slow: layers take minutes to come, and long questions wait.</source>
        <translation>Langsam: Schichten brauchen Minuten, bis sie da sind, und lange Fragen müssen warten.</translation>
    </message>
    <message>
        <source>Test links</source>
        <translation>Verbindungen testen</translation>
    </message>
    <message>
        <source>Testing …</source>
        <translation>Testet …</translation>
    </message>
    <message>
        <source>To this PC</source>
        <translation>Zu diesem PC</translation>
    </message>
    <message>
        <source>Usable; a cable would be faster.</source>
        <translation>Brauchbar; ein Kabel wäre schneller.</translation>
    </message>
    <message>
        <source>{ms} ms</source>
        <translation>{ms} ms</translation>
    </message>
    <message>
        <source>{speed} MB/s</source>
        <translation>{speed} MB/s</translation>
    </message>
    <message>
        <source>{trip} there and back, {receives} to this PC, {sends} from it</source>
        <translation>{trip} hin und zurück, {receives} zu diesem PC, {sends} von ihm</translation>
    </message>
</context>
<context>
    <name>LoadView</name>
    <message>
        <source>Loading: {ready} of {count} PCs are ready</source>
        <translation>Lädt: {ready} von {count} PCs sind bereit</translation>
    </message>
    <message>
        <source>What {pc} has fetched</source>
        <translation>Wie viel {pc} heruntergeladen hat</translation>
    </message>
    <message>
        <source>fetches its layers</source>
        <translation>lädt seine Schichten herunter</translation>
    </message>
    <message>
        <source>fetches its layers: {share}</source>
        <translation>lädt seine Schichten herunter: {share}</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>nicht mehr da</translation>
    </message>
    <message>
        <source>layer {first}</source>
        <translation>Schicht {first}</translation>
    </message>
    <message>
        <source>layers {first}–{last}</source>
        <translation>Schichten {first}–{last}</translation>
    </message>
    <message>
        <source>prepares them for its device</source>
        <translation>bereitet sie für sein Gerät vor</translation>
    </message>
    <message>
        <source>reads them into its memory</source>
        <translation>liest sie in den Arbeitsspeicher</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>ready on its {device}</source>
        <translation>bereit auf: {device}</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>{seconds} s</source>
        <translation>{seconds} s</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>Pool</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>MemoryShare</name>
    <message>
        <source>{percent} %</source>
        <translation>{percent} %</translation>
    </message>
    <message>
        <source>{percent} % · {size} GB</source>
        <translation>{percent} % · {size} GB</translation>
    </message>
</context>
<context>
    <name>MessageTools</name>
    <message>
        <source>Answer once more</source>
        <translation>Noch einmal antworten</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy this answer</source>
        <translation>Antwort kopieren</translation>
    </message>
    <message>
        <source>Copy your message</source>
        <translation>Ihre Nachricht kopieren</translation>
    </message>
    <message>
        <source>Details of this answer</source>
        <translation>Details zu dieser Antwort</translation>
    </message>
    <message>
        <source>Edit your message and ask again</source>
        <translation>Nachricht bearbeiten und neu fragen</translation>
    </message>
    <message>
        <source>Go on with this answer</source>
        <translation>Diese Antwort fortsetzen</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>Nächste Fassung</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>Vorige Fassung</translation>
    </message>
    <message>
        <source>Version {n} of {count}</source>
        <translation>Fassung {n} von {count}</translation>
    </message>
    <message>
        <source>{n} / {count}</source>
        <translation>{n} / {count}</translation>
    </message>
</context>
<context>
    <name>Mishaps</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Idlepool goes on. If something does not work now, quit it and start it again.</source>
        <translation>Idlepool läuft weiter. Wenn jetzt etwas nicht funktioniert, beenden Sie es, und starten Sie es neu.</translation>
    </message>
    <message>
        <source>Something went wrong in this window.</source>
        <translation>In diesem Fenster ist etwas schiefgegangen.</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Check every byte</source>
        <translation>Jedes Byte prüfen</translation>
    </message>
    <message>
        <source>Idlepool only forgets it: its folder stays as it is.</source>
        <translation>Idlepool vergisst es nur: Sein Ordner bleibt, wie er ist.</translation>
    </message>
    <message>
        <source>In your folder {folder}</source>
        <translation>In Ihrem Ordner {folder}</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>New name of {name}</source>
        <translation>Neuer Name von {name}</translation>
    </message>
    <message>
        <source>Open its folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove {name} from this PC?</source>
        <translation>{name} von diesem PC entfernen?</translation>
    </message>
    <message>
        <source>Remove …</source>
        <translation>Entfernen …</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Rename a model</source>
        <translation>Modell umbenennen</translation>
    </message>
    <message>
        <source>Rename …</source>
        <translation>Umbenennen …</translation>
    </message>
    <message>
        <source>licence unknown</source>
        <translation>Lizenz unbekannt</translation>
    </message>
    <message>
        <source>licence: {licence}</source>
        <translation>Lizenz: {licence}</translation>
    </message>
    <message>
        <source>loaded on this PC</source>
        <translation>auf diesem PC geladen</translation>
    </message>
    <message>
        <source>loaded on {count} PCs</source>
        <translation>auf {count} PCs geladen</translation>
    </message>
    <message>
        <source>{count} layers</source>
        <translation>{count} Schichten</translation>
    </message>
    <message>
        <source>{size} of the disk become free. It can be fetched again later.</source>
        <translation>{size} Speicherplatz werden frei. Es lässt sich später wieder herunterladen.</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>Add a model</source>
        <translation>Modell hinzufügen</translation>
    </message>
    <message>
        <source>Add a model …</source>
        <translation>Modell hinzufügen …</translation>
    </message>
    <message>
        <source>Checking what is here …</source>
        <translation>Prüft, was hier ist …</translation>
    </message>
    <message>
        <source>Fetched for models of other PCs</source>
        <translation>Heruntergeladen für Modelle anderer PCs</translation>
    </message>
    <message>
        <source>Idlepool&apos;s engine does not run at the moment. Try it again when it does.</source>
        <translation>Der Dienst von Idlepool läuft gerade nicht. Versuchen Sie es noch einmal, wenn er läuft.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>On other PCs of the pool</source>
        <translation>Auf anderen PCs des Pools</translation>
    </message>
    <message>
        <source>On their way here</source>
        <translation>Auf dem Weg hierher</translation>
    </message>
    <message>
        <source>On this PC</source>
        <translation>Auf diesem PC</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>{free} of this disk are free</source>
        <translation>Auf diesem Datenträger sind {free} frei</translation>
    </message>
    <message>
        <source>{name} is here now.</source>
        <translation>{name} ist jetzt da.</translation>
    </message>
    <message>
        <source>{name} was here already.</source>
        <translation>{name} war schon da.</translation>
    </message>
    <message>
        <source>{name} was removed: {size} of the disk are free again.</source>
        <translation>{name} wurde entfernt: {size} Speicherplatz sind wieder frei.</translation>
    </message>
    <message>
        <source>{name} was removed; its folder is as it was.</source>
        <translation>{name} wurde entfernt; sein Ordner ist, wie er war.</translation>
    </message>
    <message>
        <source>{used} of this disk are used for models, {free} are free</source>
        <translation>Modelle belegen {used} dieses Datenträgers, {free} sind frei</translation>
    </message>
</context>
<context>
    <name>NameRow</name>
    <message>
        <source>Name of this PC</source>
        <translation>Name dieses PCs</translation>
    </message>
    <message>
        <source>What the others see.</source>
        <translation>Was die anderen sehen.</translation>
    </message>
</context>
<context>
    <name>NetworkSection</name>
    <message>
        <source>Limit for model files</source>
        <translation>Grenze für Modelldateien</translation>
    </message>
    <message>
        <source>MB/s</source>
        <translation>MB/s</translation>
    </message>
    <message>
        <source>Model files come from the Internet and from the other PCs of your pool. Answers are never slowed.</source>
        <translation>Die Dateien der Modelle kommen aus dem Internet und von den anderen PCs Ihres Pools. Antworten werden nie gebremst.</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netzwerk</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Keine Grenze</translation>
    </message>
    <message>
        <source>Of what is fetched, and of what is given.</source>
        <translation>Gilt beim Herunterladen und beim Weitergeben.</translation>
    </message>
</context>
<context>
    <name>NodeDeaths</name>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Idlepool tries again in {seconds} seconds.</source>
        <translation>Idlepool versucht es in {seconds} Sekunden erneut.</translation>
    </message>
    <message>
        <source>It ended too often to be started again by itself. The conversation is kept.</source>
        <translation>Er hat sich zu oft beendet, um von selbst neu zu starten. Die Unterhaltung bleibt erhalten.</translation>
    </message>
    <message>
        <source>It starts again in {seconds} seconds. The conversation is kept.</source>
        <translation>Er startet in {seconds} Sekunden neu. Die Unterhaltung bleibt erhalten.</translation>
    </message>
    <message>
        <source>It starts again now. The conversation is kept.</source>
        <translation>Er startet jetzt neu. Die Unterhaltung bleibt erhalten.</translation>
    </message>
    <message>
        <source>It was started again. The conversation is kept.</source>
        <translation>Er wurde neu gestartet. Die Unterhaltung bleibt erhalten.</translation>
    </message>
    <message>
        <source>Start again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Until then nothing is answered, and what you write is only kept in memory.</source>
        <translation>Bis dahin wird nichts beantwortet, und was Sie schreiben, bleibt nur im Arbeitsspeicher.</translation>
    </message>
</context>
<context>
    <name>NodePicture</name>
    <message>
        <source>Answering</source>
        <translation>Antwortet</translation>
    </message>
    <message>
        <source>No model yet</source>
        <translation>Noch kein Modell</translation>
    </message>
    <message>
        <source>Not running</source>
        <translation>Läuft nicht</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>Bereit</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Startet …</translation>
    </message>
</context>
<context>
    <name>NodeSections</name>
    <message>
        <source>The command line with which Idlepool was started decides this.</source>
        <translation>Das legt die Befehlszeile fest, mit der Idlepool gestartet wurde.</translation>
    </message>
</context>
<context>
    <name>Notifications</name>
    <message>
        <source>Idlepool needs you</source>
        <translation>Idlepool braucht Sie</translation>
    </message>
    <message>
        <source>Open Idlepool to read it.</source>
        <translation>Öffnen Sie Idlepool, um sie zu lesen.</translation>
    </message>
    <message>
        <source>Open Idlepool to see why.</source>
        <translation>Öffnen Sie Idlepool, um den Grund zu sehen.</translation>
    </message>
    <message>
        <source>The answer broke off</source>
        <translation>Die Antwort ist abgebrochen</translation>
    </message>
    <message>
        <source>The answer is there</source>
        <translation>Die Antwort ist da</translation>
    </message>
    <message>
        <source>This PC lends nothing more</source>
        <translation>Dieser PC verleiht nichts mehr</translation>
    </message>
</context>
<context>
    <name>PairingDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>It can no longer use this pool, and what runs on it ends at once. To come back, it has to be paired again.</source>
        <translation>Er kann diesen Pool nicht mehr nutzen, und was auf ihm läuft, endet sofort. Um zurückzukommen, muss er neu gekoppelt werden.</translation>
    </message>
    <message>
        <source>Leave</source>
        <translation>Verlassen</translation>
    </message>
    <message>
        <source>Leave the pool?</source>
        <translation>Den Pool verlassen?</translation>
    </message>
    <message>
        <source>Pair PCs</source>
        <translation>PCs koppeln</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove {name}?</source>
        <translation>{name} entfernen?</translation>
    </message>
    <message>
        <source>This PC can no longer use the others. They list it until it is removed on one of them.</source>
        <translation>Dieser PC kann die anderen nicht mehr nutzen. In deren Listen steht er, bis er auf einem von ihnen entfernt wird.</translation>
    </message>
</context>
<context>
    <name>PairingPages</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
</context>
<context>
    <name>PcCard</name>
    <message>
        <source>Left out of my plans</source>
        <translation>Nicht in meinen Plänen</translation>
    </message>
    <message>
        <source>Use {name} for models that this PC runs</source>
        <translation>{name} für Modelle nutzen, die dieser PC betreibt</translation>
    </message>
    <message>
        <source>Used in my plans</source>
        <translation>In meinen Plänen</translation>
    </message>
</context>
<context>
    <name>PcFacts</name>
    <message>
        <source>Has {devices} for models</source>
        <translation>Hat für Modelle: {devices}</translation>
    </message>
    <message>
        <source>Holds {what}</source>
        <translation>Hat {what}</translation>
    </message>
    <message>
        <source>Lends {devices}</source>
        <translation>Verleiht {devices}</translation>
    </message>
    <message>
        <source>all of {model}</source>
        <translation>alles von {model}</translation>
    </message>
    <message>
        <source>layers of models from other PCs</source>
        <translation>Schichten von Modellen anderer PCs</translation>
    </message>
    <message>
        <source>layers of more models</source>
        <translation>Schichten weiterer Modelle</translation>
    </message>
    <message>
        <source>layers {parts} of {model}</source>
        <translation>Schichten {parts} von {model}</translation>
    </message>
    <message>
        <source>{device} with {memory} GB</source>
        <translation>{device} mit {memory} GB</translation>
    </message>
    <message>
        <source>{ms} ms away</source>
        <translation>{ms} ms entfernt</translation>
    </message>
    <message>
        <source>{name} ({kind})</source>
        <translation>{name} ({kind})</translation>
    </message>
</context>
<context>
    <name>PcList</name>
    <message>
        <source>Leave the pool</source>
        <translation>Pool verlassen</translation>
    </message>
    <message>
        <source>No other PC is paired with this one yet.</source>
        <translation>Noch ist kein anderer PC mit diesem gekoppelt.</translation>
    </message>
    <message>
        <source>Not of this pool</source>
        <translation>Nicht aus diesem Pool</translation>
    </message>
    <message>
        <source>PCs of this pool</source>
        <translation>PCs dieses Pools</translation>
    </message>
    <message>
        <source>Pair with {name}</source>
        <translation>Mit {name} koppeln</translation>
    </message>
    <message>
        <source>Pair …</source>
        <translation>Koppeln …</translation>
    </message>
    <message>
        <source>Remove {name} from the pool</source>
        <translation>{name} aus dem Pool entfernen</translation>
    </message>
    <message>
        <source>Remove …</source>
        <translation>Entfernen …</translation>
    </message>
</context>
<context>
    <name>PcView</name>
    <message>
        <source>PC {id}</source>
        <translation>PC {id}</translation>
    </message>
    <message>
        <source>This PC only</source>
        <translation>Nur dieser PC</translation>
    </message>
    <message>
        <source>Words (it shows the same): {words}</source>
        <translation>Wörter (er zeigt dieselben): {words}</translation>
    </message>
    <message>
        <source>Words of this PC: {words}</source>
        <translation>Wörter dieses PCs: {words}</translation>
    </message>
    <message>
        <source>a program fills its screen</source>
        <translation>ein Programm füllt den Bildschirm</translation>
    </message>
    <message>
        <source>a program there wants it for itself</source>
        <translation>ein Programm dort braucht ihn für sich</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>antwortet</translation>
    </message>
    <message>
        <source>does not lend: {reason}</source>
        <translation>verleiht nicht: {reason}</translation>
    </message>
    <message>
        <source>fetching</source>
        <translation>lädt herunter</translation>
    </message>
    <message>
        <source>getting ready</source>
        <translation>macht sich bereit</translation>
    </message>
    <message>
        <source>here</source>
        <translation>da</translation>
    </message>
    <message>
        <source>it cannot tell whether somebody uses it</source>
        <translation>er erkennt nicht, ob ihn jemand benutzt</translation>
    </message>
    <message>
        <source>it goes to sleep or is shut down</source>
        <translation>er wird heruntergefahren oder ruht</translation>
    </message>
    <message>
        <source>it is too hot</source>
        <translation>er ist zu heiß</translation>
    </message>
    <message>
        <source>it runs on battery</source>
        <translation>er läuft im Akkubetrieb</translation>
    </message>
    <message>
        <source>its battery is low</source>
        <translation>sein Akku ist schwach</translation>
    </message>
    <message>
        <source>its disk is lent already</source>
        <translation>sein Speicherplatz ist schon verliehen</translation>
    </message>
    <message>
        <source>its memory is lent already</source>
        <translation>sein Arbeitsspeicher ist schon verliehen</translation>
    </message>
    <message>
        <source>its network is metered</source>
        <translation>sein Netzwerk ist getaktet</translation>
    </message>
    <message>
        <source>its owner lends nothing</source>
        <translation>der Besitzer verleiht nichts</translation>
    </message>
    <message>
        <source>its owner wants it for a while</source>
        <translation>der Besitzer braucht ihn eine Weile</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>lädt</translation>
    </message>
    <message>
        <source>looking for it</source>
        <translation>wird gesucht</translation>
    </message>
    <message>
        <source>not paired</source>
        <translation>nicht gekoppelt</translation>
    </message>
    <message>
        <source>not reached</source>
        <translation>nicht erreicht</translation>
    </message>
    <message>
        <source>other version</source>
        <translation>andere Version</translation>
    </message>
    <message>
        <source>outside its hours</source>
        <translation>außerhalb seiner Stunden</translation>
    </message>
    <message>
        <source>reading a question</source>
        <translation>liest eine Frage</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>abgelehnt</translation>
    </message>
    <message>
        <source>removed</source>
        <translation>entfernt</translation>
    </message>
    <message>
        <source>runs {model}</source>
        <translation>betreibt {model}</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>meldet sich nicht</translation>
    </message>
    <message>
        <source>somebody uses it</source>
        <translation>jemand benutzt ihn</translation>
    </message>
    <message>
        <source>this PC</source>
        <translation>dieser PC</translation>
    </message>
    <message>
        <source>unverified</source>
        <translation>nicht überprüft</translation>
    </message>
    <message>
        <source>version {number}</source>
        <translation>Version {number}</translation>
    </message>
    <message>
        <source>{all} PCs</source>
        <translation>{all} PCs</translation>
    </message>
    <message>
        <source>{here} of {all} PCs</source>
        <translation>{here} von {all} PCs</translation>
    </message>
</context>
<context>
    <name>PipelineLine</name>
    <message>
        <source>, {seconds} s</source>
        <translation>, {seconds} s</translation>
    </message>
    <message>
        <source>First word after {seconds} s</source>
        <translation>Erstes Wort nach {seconds} s</translation>
    </message>
    <message>
        <source>Preparing …</source>
        <translation>Bereitet vor …</translation>
    </message>
    <message>
        <source>Preparing: {chain}</source>
        <translation>Bereitet vor: {chain}</translation>
    </message>
    <message>
        <source>The chain of PCs is broken.</source>
        <translation>Die Kette der PCs ist unterbrochen.</translation>
    </message>
    <message>
        <source>The layers are spread over the PCs with your first message.</source>
        <translation>Mit Ihrer ersten Nachricht werden die Schichten auf die PCs verteilt.</translation>
    </message>
    <message>
        <source>fetching {percent} %</source>
        <translation>lädt herunter, {percent} %</translation>
    </message>
    <message>
        <source>getting ready</source>
        <translation>macht sich bereit</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>nicht mehr da</translation>
    </message>
    <message>
        <source>layer {first}</source>
        <translation>Schicht {first}</translation>
    </message>
    <message>
        <source>layers {first}–{last}</source>
        <translation>Schichten {first}–{last}</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>lädt</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>{accepted} of {drafted} guessed tokens were right</source>
        <translation>{accepted} von {drafted} vorausgeratenen Token waren richtig</translation>
    </message>
    <message>
        <source>{pc} answers: this model runs there</source>
        <translation>{pc} antwortet: Dieses Modell läuft dort</translation>
    </message>
    <message>
        <source>{speed} tokens/s</source>
        <translation>{speed} Token/s</translation>
    </message>
</context>
<context>
    <name>PlanDialog</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Choose the plan</source>
        <translation>Plan wählen</translation>
    </message>
    <message>
        <source>Share evenly</source>
        <translation>Gleichmäßig verteilen</translation>
    </message>
    <message>
        <source>This PC has the first layers, so that no text leaves it before them. Whenever a PC of the plan is away, the plan is made automatically.</source>
        <translation>Dieser PC hat die ersten Schichten, damit vor ihnen kein Text ihn verlässt. Fehlt ein PC des Plans, wird automatisch geplant.</translation>
    </message>
    <message>
        <source>Use this plan</source>
        <translation>Diesen Plan verwenden</translation>
    </message>
    <message>
        <source>Which PCs run {model}?</source>
        <translation>Welche PCs betreiben {model}?</translation>
    </message>
    <message>
        <source>Working it out …</source>
        <translation>Rechnet …</translation>
    </message>
</context>
<context>
    <name>PlanPanel</name>
    <message>
        <source>Add a model first; then it is shown here.</source>
        <translation>Fügen Sie zuerst ein Modell hinzu; dann wird es hier gezeigt.</translation>
    </message>
    <message>
        <source>Choose by hand …</source>
        <translation>Von Hand wählen …</translation>
    </message>
    <message>
        <source>Chosen by hand</source>
        <translation>Von Hand gewählt</translation>
    </message>
    <message>
        <source>Model whose chain is shown</source>
        <translation>Modell, dessen Kette gezeigt wird</translation>
    </message>
    <message>
        <source>Plan automatically</source>
        <translation>Automatisch planen</translation>
    </message>
    <message>
        <source>Without {name}: you left it out of your plans.</source>
        <translation>Ohne {name}: Sie haben ihn von Ihren Plänen ausgenommen.</translation>
    </message>
    <message>
        <source>Without {name}: {reason}</source>
        <translation>Ohne {name}: {reason}</translation>
    </message>
    <message>
        <source>Without {name}: {reason}.</source>
        <translation>Ohne {name}: {reason}.</translation>
    </message>
</context>
<context>
    <name>PlanRow</name>
    <message>
        <source>Layers of {name}</source>
        <translation>Schichten von {name}</translation>
    </message>
    <message>
        <source>Move {name} towards the first layer</source>
        <translation>{name} zur ersten Schicht hin schieben</translation>
    </message>
    <message>
        <source>Move {name} towards the last layer</source>
        <translation>{name} zur letzten Schicht hin schieben</translation>
    </message>
    <message>
        <source>Use {name}</source>
        <translation>{name} nutzen</translation>
    </message>
    <message>
        <source>takes no part</source>
        <translation>nicht beteiligt</translation>
    </message>
    <message>
        <source>{name} (this PC)</source>
        <translation>{name} (dieser PC)</translation>
    </message>
</context>
<context>
    <name>PoolPage</name>
    <message>
        <source>How the model runs</source>
        <translation>Wie das Modell läuft</translation>
    </message>
    <message>
        <source>Idlepool is starting …</source>
        <translation>Idlepool startet …</translation>
    </message>
    <message>
        <source>Leave the pool …</source>
        <translation>Pool verlassen …</translation>
    </message>
    <message>
        <source>Links between the PCs</source>
        <translation>Verbindungen zwischen den PCs</translation>
    </message>
    <message>
        <source>Not of this pool</source>
        <translation>Nicht aus diesem Pool</translation>
    </message>
    <message>
        <source>PCs of this pool</source>
        <translation>PCs dieses Pools</translation>
    </message>
    <message>
        <source>Pair PCs …</source>
        <translation>PCs koppeln …</translation>
    </message>
    <message>
        <source>Pair with {name}</source>
        <translation>Mit {name} koppeln</translation>
    </message>
    <message>
        <source>Pair …</source>
        <translation>Koppeln …</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>Pool</translation>
    </message>
    <message>
        <source>Remove {name} from the pool</source>
        <translation>{name} aus dem Pool entfernen</translation>
    </message>
    <message>
        <source>Remove …</source>
        <translation>Entfernen …</translation>
    </message>
    <message>
        <source>Who takes part in this conversation</source>
        <translation>Wer an dieser Unterhaltung beteiligt ist</translation>
    </message>
    <message>
        <source>Who would take part in a conversation</source>
        <translation>Wer an einer Unterhaltung beteiligt wäre</translation>
    </message>
    <message>
        <source>{pcs}, with {memory} GB for models</source>
        <translation>{pcs}, mit {memory} GB für Modelle</translation>
    </message>
</context>
<context>
    <name>PoolSection</name>
    <message>
        <source>A PC that takes part in an answer could read it along: pair only PCs you trust.</source>
        <translation>Ein PC, der an einer Antwort beteiligt ist, könnte mitlesen: Koppeln Sie nur PCs, denen Sie vertrauen.</translation>
    </message>
    <message>
        <source>No other PC is paired with this one yet.</source>
        <translation>Noch ist kein anderer PC mit diesem gekoppelt.</translation>
    </message>
    <message>
        <source>Not known yet who belongs to it.</source>
        <translation>Noch nicht bekannt, wer dazugehört.</translation>
    </message>
    <message>
        <source>Pair or remove PCs …</source>
        <translation>PCs koppeln oder entfernen …</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>Pool</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>The window&apos;s settings cannot be read ({reason}); they are as at first.</source>
        <translation>Die Einstellungen des Fensters können nicht gelesen werden ({reason}); es gelten die ursprünglichen.</translation>
    </message>
    <message>
        <source>The window&apos;s settings made no sense; the old file is called {file} now.</source>
        <translation>Die Einstellungen des Fensters ergaben keinen Sinn; die alte Datei heißt jetzt {file}.</translation>
    </message>
</context>
<context>
    <name>Presets</name>
    <message>
        <source>Balanced</source>
        <translation>Ausgewogen</translation>
    </message>
    <message>
        <source>Creative</source>
        <translation>Kreativ</translation>
    </message>
    <message>
        <source>Precise</source>
        <translation>Präzise</translation>
    </message>
</context>
<context>
    <name>ProgramDialog</name>
    <message>
        <source>Asking what runs …</source>
        <translation>Fragt, was läuft …</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>Wählen</translation>
    </message>
    <message>
        <source>Choose a running program</source>
        <translation>Laufendes Programm wählen</translation>
    </message>
    <message>
        <source>Programs that run for you</source>
        <translation>Programme, die für Sie laufen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search among the programs</source>
        <translation>Programme durchsuchen</translation>
    </message>
</context>
<context>
    <name>ProgramsRow</name>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add the program</source>
        <translation>Programm hinzufügen</translation>
    </message>
    <message>
        <source>Choose a running program …</source>
        <translation>Laufendes Programm wählen …</translation>
    </message>
    <message>
        <source>Name of a program</source>
        <translation>Name eines Programms</translation>
    </message>
    <message>
        <source>Name of a program, such as game.exe</source>
        <translation>Name eines Programms, etwa spiel.exe</translation>
    </message>
    <message>
        <source>Not while these programs run</source>
        <translation>Nicht, während diese Programme laufen</translation>
    </message>
    <message>
        <source>Only the name of its file, without the folder it lies in.</source>
        <translation>Nur der Dateiname, ohne den Ordner, in dem sie liegt.</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message>
        <source>Type the name of a program first.</source>
        <translation>Geben Sie zuerst den Namen eines Programms ein.</translation>
    </message>
    <message>
        <source>While one of these runs, nothing is lent: a game, or a program that needs the whole PC.</source>
        <translation>Solange eines davon läuft, wird nichts verliehen: ein Spiel oder ein Programm, das den ganzen PC braucht.</translation>
    </message>
</context>
<context>
    <name>QuestionBubble</name>
    <message>
        <source>Your message</source>
        <translation>Ihre Nachricht</translation>
    </message>
    <message>
        <source>{name} (about {n} tokens)</source>
        <translation>{name} (etwa {n} Token)</translation>
    </message>
</context>
<context>
    <name>SamplingForm</name>
    <message>
        <source>&amp;Longest answer, in tokens</source>
        <translation>&amp;Höchstlänge (Token)</translation>
    </message>
    <message>
        <source>&amp;Min-p</source>
        <translation>&amp;Min-p</translation>
    </message>
    <message>
        <source>&amp;Repetition penalty</source>
        <translation>&amp;Wiederholungsstrafe</translation>
    </message>
    <message>
        <source>&amp;Seed</source>
        <translation>&amp;Startwert</translation>
    </message>
    <message>
        <source>&amp;Temperature</source>
        <translation>&amp;Temperatur</translation>
    </message>
    <message>
        <source>0: always the likeliest word; higher: more variety, and more nonsense</source>
        <translation>0: immer das wahrscheinlichste Wort; höher: mehr Vielfalt und mehr Unsinn</translation>
    </message>
    <message>
        <source>Above 1: words that were said already become less likely</source>
        <translation>Über 1: Schon gesagte Wörter werden unwahrscheinlicher</translation>
    </message>
    <message>
        <source>An answer ends there; it can be gone on with. A token is about three quarters of a word</source>
        <translation>Eine Antwort endet dort und lässt sich fortsetzen. Ein Token ist etwa drei Viertel eines Wortes</translation>
    </message>
    <message>
        <source>Another one each time</source>
        <translation>Jedes Mal ein anderer</translation>
    </message>
    <message>
        <source>Default ({value})</source>
        <translation>Standard ({value})</translation>
    </message>
    <message>
        <source>Only so many of the likeliest words; 0: all</source>
        <translation>Nur so viele der wahrscheinlichsten Wörter; 0: alle</translation>
    </message>
    <message>
        <source>Only the likeliest words that together have this probability; 1: all</source>
        <translation>Nur die wahrscheinlichsten Wörter, die zusammen diese Wahrscheinlichkeit haben; 1: alle</translation>
    </message>
    <message>
        <source>Only words at least this share as likely as the likeliest; 0: all</source>
        <translation>Nur Wörter mit mindestens diesem Anteil der Wahrscheinlichkeit des wahrscheinlichsten; 0: alle</translation>
    </message>
    <message>
        <source>The same number gives the same answer to the same conversation</source>
        <translation>Dieselbe Zahl gibt dieselbe Antwort auf dieselbe Unterhaltung</translation>
    </message>
    <message>
        <source>The seed must be at most {most}.</source>
        <translation>Der Startwert darf höchstens {most} sein.</translation>
    </message>
    <message>
        <source>Top-&amp;k</source>
        <translation>Top-&amp;k</translation>
    </message>
    <message>
        <source>Top-&amp;p</source>
        <translation>Top-&amp;p</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search all conversations</source>
        <translation>Alle Unterhaltungen durchsuchen</translation>
    </message>
</context>
<context>
    <name>SearchLine</name>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Decides now</source>
        <translation>Entscheidet jetzt</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
</context>
<context>
    <name>ShortcutList</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>Begin a new conversation</source>
        <translation>Neue Unterhaltung beginnen</translation>
    </message>
    <message>
        <source>Begin a new line</source>
        <translation>Neue Zeile beginnen</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Close the window; where there is a tray, Idlepool goes on in it</source>
        <translation>Fenster schließen; wo es einen Infobereich gibt, läuft Idlepool dort weiter</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Unterhaltungen</translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>Letzte Antwort kopieren</translation>
    </message>
    <message>
        <source>Delete the chosen conversation</source>
        <translation>Gewählte Unterhaltung löschen</translation>
    </message>
    <message>
        <source>Edit the last message, from an empty field</source>
        <translation>Letzte Nachricht bearbeiten, aus leerem Feld</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Eingabetaste</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>Überall</translation>
    </message>
    <message>
        <source>Have the last answer written once more</source>
        <translation>Letzte Antwort noch einmal schreiben lassen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Pool</source>
        <translation>Pool</translation>
    </message>
    <message>
        <source>Put text files into the message</source>
        <translation>Textdateien in die Nachricht einfügen</translation>
    </message>
    <message>
        <source>Quit Idlepool</source>
        <translation>Idlepool beenden</translation>
    </message>
    <message>
        <source>Rename the chosen conversation</source>
        <translation>Gewählte Unterhaltung umbenennen</translation>
    </message>
    <message>
        <source>Search all conversations</source>
        <translation>Alle Unterhaltungen durchsuchen</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>Nachricht senden</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Settings of this conversation</source>
        <translation>Einstellungen dieser Unterhaltung</translation>
    </message>
    <message>
        <source>Show this list</source>
        <translation>Diese Liste zeigen</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>Antwort stoppen</translation>
    </message>
</context>
<context>
    <name>ShowPage</name>
    <message>
        <source> or </source>
        <translation> oder </translation>
    </message>
    <message numerus="yes">
        <source>%n more tries are allowed.</source>
        <translation>
            <numerusform>%n weiterer Versuch ist erlaubt.</numerusform>
            <numerusform>%n weitere Versuche sind erlaubt.</numerusform>
        </translation>
    </message>
    <message>
        <source>Code: {letters}</source>
        <translation>Code: {letters}</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Good for {time}</source>
        <translation>Noch {time} gültig</translation>
    </message>
    <message>
        <source>If the other PC does not find this one, type this address there as well: {places}</source>
        <translation>Findet der andere PC diesen nicht, geben Sie dort auch diese Adresse ein: {places}</translation>
    </message>
    <message>
        <source>New code</source>
        <translation>Neuer Code</translation>
    </message>
    <message>
        <source>Somebody typed another code.</source>
        <translation>Jemand hat einen anderen Code eingegeben.</translation>
    </message>
    <message>
        <source>The code is being made</source>
        <translation>Der Code wird erzeugt</translation>
    </message>
    <message>
        <source>The code is void</source>
        <translation>Der Code ist ungültig</translation>
    </message>
    <message>
        <source>There, choose “Pair PCs …” and “Type a code”.</source>
        <translation>Wählen Sie dort „PCs koppeln …“ und „Code eingeben“.</translation>
    </message>
    <message>
        <source>This PC cannot be found by itself ({problem}). Type there as well: {places}</source>
        <translation>Dieser PC wird nicht von selbst gefunden ({problem}). Geben Sie dort auch ein: {places}</translation>
    </message>
    <message>
        <source>Type this code on the other PC</source>
        <translation>Geben Sie diesen Code auf dem anderen PC ein</translation>
    </message>
    <message>
        <source>void</source>
        <translation>ungültig</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Open the list of this page</source>
        <translation>Liste dieser Seite öffnen</translation>
    </message>
</context>
<context>
    <name>Silence</name>
    <message>
        <source>It may be very busy. If it stays so, start it again: the conversation is kept.</source>
        <translation>Vielleicht ist er nur stark beschäftigt. Bleibt es so, hilft ein Neustart; die Unterhaltung bleibt erhalten.</translation>
    </message>
    <message>
        <source>It was not started by this window: end it where it was started. The conversation is kept.</source>
        <translation>Er wurde nicht von diesem Fenster gestartet und lässt sich nur dort beenden, wo er gestartet wurde. Die Unterhaltung bleibt erhalten.</translation>
    </message>
    <message>
        <source>Start it again</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>The engine of Idlepool does not answer.</source>
        <translation>Der Dienst von Idlepool antwortet nicht.</translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>One PC shows a code, the other one is told it. Paired PCs lend each other their devices and give each other models; a PC that takes part in an answer could read the conversation. Pair only PCs you trust.</source>
        <translation>Ein PC zeigt einen Code, auf dem anderen geben Sie ihn ein. Gekoppelte PCs leihen einander ihre Geräte und geben einander Modelle; ein PC, der an einer Antwort beteiligt ist, könnte die Unterhaltung lesen. Koppeln Sie nur PCs, denen Sie vertrauen.</translation>
    </message>
    <message>
        <source>Pair this PC with another one</source>
        <translation>Diesen PC mit einem anderen koppeln</translation>
    </message>
    <message>
        <source>Show a code</source>
        <translation>Code zeigen</translation>
    </message>
    <message>
        <source>Type a code</source>
        <translation>Code eingeben</translation>
    </message>
</context>
<context>
    <name>StarterRow</name>
    <message>
        <source>A model to begin with</source>
        <translation>Ein Modell für den Anfang</translation>
    </message>
    <message>
        <source>Get it (93 MB)</source>
        <translation>Holen (93 MB)</translation>
    </message>
    <message>
        <source>Get the starter model (93 MB)</source>
        <translation>Startmodell holen (93 MB)</translation>
    </message>
    <message>
        <source>Here: {name}</source>
        <translation>Hier: {name}</translation>
    </message>
    <message>
        <source>Progress of the model</source>
        <translation>Fortschritt des Modells</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>The starter model is small, quick on any PC, and free to use (Apache 2.0).</source>
        <translation>Das Startmodell ist klein, auf jedem PC schnell und frei nutzbar (Apache 2.0).</translation>
    </message>
</context>
<context>
    <name>StatusWatch</name>
    <message>
        <source>Answering</source>
        <translation>Antwortet</translation>
    </message>
    <message>
        <source>Not lending</source>
        <translation>Verleiht nicht</translation>
    </message>
    <message>
        <source>Not running</source>
        <translation>Läuft nicht</translation>
    </message>
    <message>
        <source>Ready to lend</source>
        <translation>Bereit zum Verleihen</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>Läuft</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Startet …</translation>
    </message>
</context>
<context>
    <name>TakesPart</name>
    <message>
        <source>It spreads the layers over PCs of the pool; which ones is shown there. Each of them could reconstruct the conversation from what passes through it.</source>
        <translation>Er verteilt die Schichten auf PCs des Pools; auf welche, wird dort gezeigt. Jeder von ihnen könnte die Unterhaltung aus dem rekonstruieren, was durch ihn läuft.</translation>
    </message>
    <message>
        <source>Nobody yet: it is not known which PCs would run this model.</source>
        <translation>Noch niemand: Es ist nicht bekannt, welche PCs dieses Modell betreiben würden.</translation>
    </message>
    <message>
        <source>On the way between the PCs all of it is encrypted. A PC that holds no layers of this model gets nothing of the conversation.</source>
        <translation>Unterwegs zwischen den PCs ist alles verschlüsselt. Ein PC ohne Schichten dieses Modells bekommt nichts von der Unterhaltung.</translation>
    </message>
    <message>
        <source>Only this PC. Nothing that you write or read in a conversation with this model leaves it.</source>
        <translation>Nur dieser PC. Nichts, was Sie in einer Unterhaltung mit diesem Modell schreiben oder lesen, verlässt ihn.</translation>
    </message>
    <message>
        <source>This PC reads everything: here your words go in, and here the answer comes out as text.</source>
        <translation>Dieser PC liest alles: Hier gehen Ihre Worte hinein, und hier kommt die Antwort als Text heraus.</translation>
    </message>
    <message>
        <source>{names} and {last}</source>
        <translation>{names} und {last}</translation>
    </message>
    <message>
        <source>{names} run some of the layers. What passes through each of them is enough to reconstruct what you write and what is answered: whoever controls one of these PCs could read this conversation.</source>
        <translation>{names} rechnen einen Teil der Schichten. Was durch jeden von ihnen läuft, genügt, um zu rekonstruieren, was Sie schreiben und was geantwortet wird: Wer einen dieser PCs kontrolliert, könnte diese Unterhaltung lesen.</translation>
    </message>
    <message>
        <source>{name} answers about this model: it gets what you write as it is, and reads it.</source>
        <translation>{name} antwortet für dieses Modell: Er bekommt, was Sie schreiben, so wie es ist, und liest es.</translation>
    </message>
    <message>
        <source>{name} runs some of the layers. What passes through it is enough to reconstruct what you write and what is answered: whoever controls that PC could read this conversation.</source>
        <translation>{name} rechnet einen Teil der Schichten. Was durch ihn läuft, genügt, um zu rekonstruieren, was Sie schreiben und was geantwortet wird: Wer diesen PC kontrolliert, könnte diese Unterhaltung lesen.</translation>
    </message>
</context>
<context>
    <name>ThoughtView</name>
    <message>
        <source>Hide the thoughts</source>
        <translation>Gedanken verbergen</translation>
    </message>
    <message>
        <source>Show the thoughts</source>
        <translation>Gedanken zeigen</translation>
    </message>
    <message>
        <source>Thinking …</source>
        <translation>Denkt nach …</translation>
    </message>
    <message>
        <source>Thought for {seconds} s</source>
        <translation>{seconds} s nachgedacht</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>Gedanken</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Conversation</source>
        <translation>Unterhaltung</translation>
    </message>
    <message>
        <source>↓ Jump to newest</source>
        <translation>↓ Zum Neuesten</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Idlepool goes on here. Quit it from this icon&apos;s menu.</source>
        <translation>Idlepool läuft hier weiter. Beenden Sie es im Menü dieses Symbols.</translation>
    </message>
</context>
<context>
    <name>TypePage</name>
    <message>
        <source>&amp;Address</source>
        <translation>&amp;Adresse</translation>
    </message>
    <message>
        <source>&amp;Code</source>
        <translation>&amp;Code</translation>
    </message>
    <message>
        <source>Address of the other PC</source>
        <translation>Adresse des anderen PCs</translation>
    </message>
    <message>
        <source>Code of the other PC</source>
        <translation>Code des anderen PCs</translation>
    </message>
    <message>
        <source>It is shown there after “Pair PCs …” and “Show a code”.</source>
        <translation>Er steht dort nach „PCs koppeln …“ und „Code zeigen“.</translation>
    </message>
    <message>
        <source>Looking for the PC that shows this code …</source>
        <translation>Sucht den PC, der diesen Code zeigt …</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>Koppeln</translation>
    </message>
    <message>
        <source>Pairing …</source>
        <translation>Koppelt …</translation>
    </message>
    <message>
        <source>Type the code of the other PC</source>
        <translation>Geben Sie den Code des anderen PCs ein</translation>
    </message>
    <message>
        <source>Type the code of {name}</source>
        <translation>Geben Sie den Code von {name} ein</translation>
    </message>
    <message>
        <source>found by itself</source>
        <translation>wird von selbst gefunden</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Bring back the conversation “{title}”</source>
        <translation>Unterhaltung „{title}“ zurückholen</translation>
    </message>
    <message>
        <source>Deleted: {title}</source>
        <translation>Gelöscht: {title}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>UndoLine</name>
    <message>
        <source>Changed: {what}.</source>
        <translation>Geändert: {what}.</translation>
    </message>
    <message>
        <source>Keep the change</source>
        <translation>Änderung behalten</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo the change: {what}</source>
        <translation>Änderung rückgängig machen: {what}</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>A PC that takes part in an answer could read the conversation: pair only PCs you trust.</source>
        <translation>Ein PC, der an einer Antwort beteiligt ist, könnte die Unterhaltung lesen: Koppeln Sie nur PCs, denen Sie vertrauen.</translation>
    </message>
    <message>
        <source>Ask your pool of PCs</source>
        <translation>Fragen Sie Ihren PC-Pool</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>Prüft</translation>
    </message>
    <message>
        <source>Converting</source>
        <translation>Wandelt um</translation>
    </message>
    <message>
        <source>Explain in three sentences how a rainbow forms.</source>
        <translation>Erkläre in drei Sätzen, wie ein Regenbogen entsteht.</translation>
    </message>
    <message>
        <source>Fetching</source>
        <translation>Lädt herunter</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>The layers of a model are spread over the PCs of your pool, and they answer together.</source>
        <translation>Die Schichten eines Modells sind auf die PCs Ihres Pools verteilt, und sie antworten gemeinsam.</translation>
    </message>
    <message>
        <source>What is the capital of Japan?</source>
        <translation>Was ist die Hauptstadt von Japan?</translation>
    </message>
    <message>
        <source>Write a short poem about rain in the city.</source>
        <translation>Schreibe ein kurzes Gedicht über Regen in der Stadt.</translation>
    </message>
</context>
<context>
    <name>WhatThisIs</name>
    <message>
        <source>A PC that takes part in an answer could read the whole conversation, although it holds only some of the layers. No setting can prevent that. Pair only PCs whose owners you trust.</source>
        <translation>Ein PC, der an einer Antwort beteiligt ist, könnte die ganze Unterhaltung lesen, obwohl er nur einige der Schichten hat. Keine Einstellung kann das verhindern. Koppeln Sie nur PCs, deren Besitzern Sie vertrauen.</translation>
    </message>
    <message>
        <source>Idlepool joins the PCs of an office or a home. Together they run language models that none of them could hold alone. There is no account, and nothing goes to a cloud.</source>
        <translation>Idlepool verbindet die PCs eines Büros oder Haushalts. Gemeinsam betreiben sie Sprachmodelle, die keiner von ihnen allein fassen könnte. Es gibt kein Konto, und nichts geht in eine Cloud.</translation>
    </message>
    <message>
        <source>Who could read along</source>
        <translation>Wer mitlesen könnte</translation>
    </message>
    <message>
        <source>Your PCs, together</source>
        <translation>Ihre PCs, gemeinsam</translation>
    </message>
</context>
<context>
    <name>WhenItLends</name>
    <message>
        <source>Always, also while I work</source>
        <translation>Immer, auch während ich arbeite</translation>
    </message>
    <message>
        <source>At most so much.</source>
        <translation>Höchstens so viel.</translation>
    </message>
    <message>
        <source>Memory for others</source>
        <translation>Arbeitsspeicher für andere</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Unused for</source>
        <translation>Unbenutzt seit</translation>
    </message>
    <message>
        <source>When nobody uses it (recommended)</source>
        <translation>Wenn ihn niemand benutzt (empfohlen)</translation>
    </message>
    <message>
        <source>When this PC helps</source>
        <translation>Wann dieser PC hilft</translation>
    </message>
    <message>
        <source>Without keyboard and mouse.</source>
        <translation>Ohne Eingaben mit Tastatur und Maus.</translation>
    </message>
    <message>
        <source>You come first: what others use is given back as soon as you need it. It lends on mains only, not over networks that cost by the byte, and not beside a game. All of it can be changed in the settings.</source>
        <translation>Sie haben Vorrang: Was andere nutzen, wird zurückgegeben, sobald Sie es brauchen. Verliehen wird nur am Stromnetz, nicht über Netzwerke, die nach Verbrauch abgerechnet werden, und nicht neben einem Spiel. All das lässt sich in den Einstellungen ändern.</translation>
    </message>
    <message>
        <source>min</source>
        <translation>min</translation>
    </message>
</context>
<context>
    <name>WindowSection</name>
    <message>
        <source>Another one is spoken as soon as no answer is being written.</source>
        <translation>Eine andere gilt, sobald keine Antwort geschrieben wird.</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>In the background, when you log in.</source>
        <translation>Im Hintergrund, wenn Sie sich anmelden.</translation>
    </message>
    <message>
        <source>Introduction</source>
        <translation>Einführung</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>Benachrichtigungen</translation>
    </message>
    <message>
        <source>Only what you must know: an answer is there while the window is hidden, or something failed.</source>
        <translation>Nur was Sie wissen müssen: Eine Antwort ist da, während das Fenster verborgen ist, oder etwas ging schief.</translation>
    </message>
    <message>
        <source>Same as the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Show it again</source>
        <translation>Noch einmal zeigen</translation>
    </message>
    <message>
        <source>Show the introduction again</source>
        <translation>Einführung noch einmal zeigen</translation>
    </message>
    <message>
        <source>Start with the PC</source>
        <translation>Mit dem PC starten</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
</context>
</TS>
