<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
    <context>
        <name>Engine</name>
        <message>
            <source>(process {process})</source>
            <translation>(Prozess {process})</translation>
        </message>
        <message>
            <source>, or get the wheel of {requirement} and add it: idlepool models add FILE.whl</source>
            <translation>, oder holen Sie das Wheel von {requirement} und fügen Sie es hinzu: idlepool models add DATEI.whl</translation>
        </message>
        <message>
            <source>, to which you agree by using it: {terms}</source>
            <translation>, denen Sie mit der Nutzung zustimmen: {terms}</translation>
        </message>
        <message>
            <source>A FAULT frame does not decode: {error}.</source>
            <translation>Ein FAULT-Frame lässt sich nicht lesen: {error}.</translation>
        </message>
        <message>
            <source>A HIDDEN frame holds what is no number: NaN or infinity.</source>
            <translation>Ein HIDDEN-Frame enthält, was keine Zahl ist: NaN oder unendlich.</translation>
        </message>
        <message>
            <source>A Hello was answered by something other than Welcome or a refusal.</source>
            <translation>Auf ein Hello kam etwas anderes als ein Welcome oder eine Absage.</translation>
        </message>
        <message>
            <source>A PC at {host} said too much before it was let in.</source>
            <translation>Ein PC bei {host} sagte zu viel, bevor er eingelassen war.</translation>
        </message>
        <message>
            <source>A PC keeps forgetting this conversation.</source>
            <translation>Ein PC vergisst diese Unterhaltung immer wieder.</translation>
        </message>
        <message>
            <source>A PC of this plan is not here, or lends nothing.</source>
            <translation>Ein PC dieses Plans ist nicht da oder verleiht nichts.</translation>
        </message>
        <message>
            <source>A PC that lends more would make it fit.</source>
            <translation>Mit einem PC, der mehr verleiht, würde es passen.</translation>
        </message>
        <message>
            <source>A binary message of {size} bytes is no frame.</source>
            <translation>Eine binäre Nachricht von {size} Bytes ist kein Frame.</translation>
        </message>
        <message>
            <source>A code has eight letters and digits, like K7MP-3XQ9.</source>
            <translation>Ein Code hat acht Buchstaben und Ziffern, wie K7MP-3XQ9.</translation>
        </message>
        <message>
            <source>A connection did not start with a Hello: {error}.</source>
            <translation>Eine Verbindung begann nicht mit einem Hello: {error}.</translation>
        </message>
        <message>
            <source>A connection started with a Hello that names no PC.</source>
            <translation>Eine Verbindung begann mit einem Hello, das keinen PC nennt.</translation>
        </message>
        <message>
            <source>A connection started with a message of {len} bytes; {value} are enough.</source>
            <translation>Eine Verbindung begann mit einer Nachricht von {len} Bytes; {value} genügen.</translation>
        </message>
        <message>
            <source>A control message does not decode: {error}.</source>
            <translation>Eine Steuernachricht lässt sich nicht lesen: {error}.</translation>
        </message>
        <message>
            <source>A control message has {len} characters; that is too many.</source>
            <translation>Eine Steuernachricht hat {len} Zeichen; das sind zu viele.</translation>
        </message>
        <message>
            <source>A control message has {size} bytes; that is too many.</source>
            <translation>Eine Steuernachricht hat {size} Bytes; das sind zu viele.</translation>
        </message>
        <message>
            <source>A frame came for layers {span}, which are not loaded yet.</source>
            <translation>Ein Frame kam für die Schichten {span}, die noch nicht geladen sind.</translation>
        </message>
        <message>
            <source>A frame came for session {session}, which is not prepared here.</source>
            <translation>Ein Frame kam für die Sitzung {session}, die hier nicht vorbereitet ist.</translation>
        </message>
        <message>
            <source>A frame came from a PC that is not the one before in this pipeline.</source>
            <translation>Ein Frame kam von einem PC, der in dieser Kette nicht der vorige ist.</translation>
        </message>
        <message>
            <source>A frame for session {session} came over a link for another one.</source>
            <translation>Ein Frame der Sitzung {session} kam über eine Verbindung für eine andere.</translation>
        </message>
        <message>
            <source>A frame has nothing to compute, or two segments of one sequence.</source>
            <translation>Ein Frame hat nichts zu rechnen oder zwei Segmente einer Folge.</translation>
        </message>
        <message>
            <source>A frame of a listener is masked.</source>
            <translation>Ein Frame der Gegenseite ist maskiert.</translation>
        </message>
        <message>
            <source>A link test does not need so much.</source>
            <translation>Ein Verbindungstest braucht nicht so viel.</translation>
        </message>
        <message>
            <source>A list of the pool's members was refused: {reason}.</source>
            <translation>Eine Mitgliederliste des Pools wurde abgelehnt: {reason}.</translation>
        </message>
        <message>
            <source>A message came in parts.</source>
            <translation>Eine Nachricht kam in Teilen.</translation>
        </message>
        <message>
            <source>A model cannot be called “{name}”: {reason}.</source>
            <translation>Ein Modell kann nicht „{name}“ heißen: {reason}.</translation>
        </message>
        <message>
            <source>A model folder holds openvino_model.xml, openvino_model.bin and the two tokenizer graphs.</source>
            <translation>In einem Modellordner liegen openvino_model.xml, openvino_model.bin und die beiden Tokenizer-Graphen.</translation>
        </message>
        <message>
            <source>A model's manifest contradicts itself: {fault}.</source>
            <translation>Das Manifest eines Modells widerspricht sich: {fault}.</translation>
        </message>
        <message>
            <source>A model's manifest does not decode: {error}.</source>
            <translation>Das Manifest eines Modells lässt sich nicht lesen: {error}.</translation>
        </message>
        <message>
            <source>A model's manifest of {len} bytes is larger than {value}.</source>
            <translation>Das Manifest eines Modells ist mit {len} Bytes größer als {value}.</translation>
        </message>
        <message>
            <source>A newer link to this PC is open.</source>
            <translation>Eine neuere Verbindung zu diesem PC ist offen.</translation>
        </message>
        <message>
            <source>A question has no number of its own.</source>
            <translation>Eine Frage hat keine eigene Nummer.</translation>
        </message>
        <message>
            <source>A question has {count} {what}; at most {most} are taken from another PC.</source>
            <translation>Eine Frage hat {count} {what}; von einem anderen PC werden höchstens {most} angenommen.</translation>
        </message>
        <message>
            <source>A step never came back from the PCs of the chain.</source>
            <translation>Ein Rechenschritt kam von den PCs der Kette nie zurück.</translation>
        </message>
        <message>
            <source>A stop text is empty.</source>
            <translation>Ein Stopptext ist leer.</translation>
        </message>
        <message>
            <source>A {name} frame of {size} bytes came where model bytes were due.</source>
            <translation>Ein {name}-Frame von {size} Bytes kam, wo Modelldaten fällig waren.</translation>
        </message>
        <message>
            <source>Accept them on the model's page, then log in here with: hf auth login</source>
            <translation>Nehmen Sie sie auf der Seite des Modells an, und melden Sie sich dann hier an mit: hf auth login</translation>
        </message>
        <message>
            <source>Add the adapter, like {host}%eth0 or {host}%12.</source>
            <translation>Nennen Sie den Adapter dazu, wie {host}%eth0 oder {host}%12.</translation>
        </message>
        <message>
            <source>Add the whole model on one PC.</source>
            <translation>Fügen Sie das ganze Modell auf einem PC hinzu.</translation>
        </message>
        <message>
            <source>Add them again: what came of them is still there.</source>
            <translation>Fügen Sie sie wieder hinzu: Was davon angekommen ist, ist noch da.</translation>
        </message>
        <message>
            <source>Adding {source} could not be started.</source>
            <translation>Das Hinzufügen von {source} ließ sich nicht starten.</translation>
        </message>
        <message>
            <source>Adding {source} ended unexpectedly (exit code {code}).</source>
            <translation>Das Hinzufügen von {source} endete unerwartet (Code {code}).</translation>
        </message>
        <message>
            <source>Address already in use</source>
            <translation>die Adresse wird schon benutzt</translation>
        </message>
        <message>
            <source>Allow Idlepool to read it, or move it to another place.</source>
            <translation>Erlauben Sie Idlepool, die Datei zu lesen, oder verschieben Sie sie an einen anderen Ort.</translation>
        </message>
        <message>
            <source>Allow more, free some space, or remove fetched layers with: idlepool models clean</source>
            <translation>Erlauben Sie mehr, schaffen Sie Platz, oder entfernen Sie heruntergeladene Schichten auf der Seite „Modelle“.</translation>
        </message>
        <message>
            <source>An answer of {max_tokens} tokens was asked for.</source>
            <translation>Es wurde um eine Antwort von {max_tokens} Token gebeten.</translation>
        </message>
        <message>
            <source>Another PC that lends {value} GB would make it fit</source>
            <translation>Mit einem weiteren PC, der {value} GB verleiht, würde es passen</translation>
        </message>
        <message>
            <source>Another link to this PC is open already.</source>
            <translation>Eine andere Verbindung zu diesem PC ist schon offen.</translation>
        </message>
        <message>
            <source>Another way to this PC was faster.</source>
            <translation>Ein anderer Weg zu diesem PC war schneller.</translation>
        </message>
        <message>
            <source>Are the others switched on?</source>
            <translation>Sind die anderen eingeschaltet?</translation>
        </message>
        <message>
            <source>Ask again in a moment.</source>
            <translation>Fragen Sie gleich noch einmal.</translation>
        </message>
        <message>
            <source>Ask again.</source>
            <translation>Fragen Sie noch einmal.</translation>
        </message>
        <message>
            <source>Ask again; if it stays, add the model anew.</source>
            <translation>Fragen Sie noch einmal; bleibt es so, fügen Sie das Modell neu hinzu.</translation>
        </message>
        <message>
            <source>Ask for a shorter answer, or begin a new conversation.</source>
            <translation>Bitten Sie um eine kürzere Antwort, oder beginnen Sie eine neue Unterhaltung.</translation>
        </message>
        <message>
            <source>Ask for at least one.</source>
            <translation>Bitten Sie um mindestens eines.</translation>
        </message>
        <message>
            <source>Ask for fewer, or wait for more PCs.</source>
            <translation>Verlangen Sie weniger, oder warten Sie auf mehr PCs.</translation>
        </message>
        <message>
            <source>Ask something.</source>
            <translation>Fragen Sie etwas.</translation>
        </message>
        <message>
            <source>Bad address</source>
            <translation>ungültige Adresse</translation>
        </message>
        <message>
            <source>Begin a new one.</source>
            <translation>Beginnen Sie eine neue.</translation>
        </message>
        <message>
            <source>Begin with 0, end with {layers}, and let each span begin where the one before ends.</source>
            <translation>Beginnen Sie mit 0, enden Sie mit {layers}, und lassen Sie jeden Bereich dort beginnen, wo der vorige endet.</translation>
        </message>
        <message>
            <source>Broken pipe</source>
            <translation>die Verbindung ist abgebrochen</translation>
        </message>
        <message>
            <source>Cannot assign requested address</source>
            <translation>die Adresse gehört nicht zu diesem PC</translation>
        </message>
        <message>
            <source>Change it on the page Pool, or have it planned automatically.</source>
            <translation>Auf der Seite „Pool“ lässt er sich ändern, oder es wird automatisch geplant.</translation>
        </message>
        <message>
            <source>Check the connection and try again.</source>
            <translation>Prüfen Sie die Verbindung, und versuchen Sie es erneut.</translation>
        </message>
        <message>
            <source>Check the name.</source>
            <translation>Prüfen Sie den Namen.</translation>
        </message>
        <message>
            <source>Check the name; for a private one log in with: hf auth login</source>
            <translation>Prüfen Sie den Namen; für ein privates melden Sie sich an mit: hf auth login</translation>
        </message>
        <message>
            <source>Choose a draft made for it, or none: its own text is looked through for guesses then.</source>
            <translation>Wählen Sie ein Entwurfsmodell, das dafür gemacht ist, oder keines: Dann wird im eigenen Text nach Vermutungen gesucht.</translation>
        </message>
        <message>
            <source>Choose again when it lends.</source>
            <translation>Stellen Sie neu ein, wann verliehen wird.</translation>
        </message>
        <message>
            <source>Choose another name.</source>
            <translation>Wählen Sie einen anderen Namen.</translation>
        </message>
        <message>
            <source>Choose another one with --port, or 0 for any.</source>
            <translation>Wählen Sie mit --port einen anderen, oder 0 für einen beliebigen.</translation>
        </message>
        <message>
            <source>Choose another one.</source>
            <translation>Wählen Sie einen anderen.</translation>
        </message>
        <message>
            <source>Choose another port in the settings, or with: idlepool api --port</source>
            <translation>Wählen Sie in den Einstellungen einen anderen Port.</translation>
        </message>
        <message>
            <source>Choose fewer PCs.</source>
            <translation>Wählen Sie weniger PCs.</translation>
        </message>
        <message>
            <source>Connection refused</source>
            <translation>die Verbindung wurde abgelehnt</translation>
        </message>
        <message>
            <source>Connection reset by peer</source>
            <translation>die Gegenseite hat die Verbindung geschlossen</translation>
        </message>
        <message>
            <source>Connection timed out</source>
            <translation>keine Antwort</translation>
        </message>
        <message>
            <source>Device or resource busy</source>
            <translation>ein anderes Programm benutzt es</translation>
        </message>
        <message>
            <source>Disk quota exceeded</source>
            <translation>Ihr Speicherplatz ist aufgebraucht</translation>
        </message>
        <message>
            <source>Each PC of a plan needs at least one layer.</source>
            <translation>Jeder PC eines Plans braucht mindestens eine Schicht.</translation>
        </message>
        <message>
            <source>File exists</source>
            <translation>die Datei gibt es schon</translation>
        </message>
        <message>
            <source>File name too long</source>
            <translation>der Dateiname ist zu lang</translation>
        </message>
        <message>
            <source>File too large</source>
            <translation>die Datei ist zu groß</translation>
        </message>
        <message>
            <source>Forbid fewer.</source>
            <translation>Verbieten Sie weniger.</translation>
        </message>
        <message>
            <source>Free some of them, or allow more there.</source>
            <translation>Schaffen Sie dort Platz, oder erlauben Sie mehr.</translation>
        </message>
        <message>
            <source>Free some space there, or allow Idlepool to write there.</source>
            <translation>Schaffen Sie dort Platz, oder erlauben Sie Idlepool, dorthin zu schreiben.</translation>
        </message>
        <message>
            <source>Gemma 3 270M (base model)</source>
            <translation>Gemma 3 270M (Basismodell)</translation>
        </message>
        <message>
            <source>Gemma 3 270M, part {number} of 4</source>
            <translation>Gemma 3 270M, Teil {number} von 4</translation>
        </message>
        <message>
            <source>Gemma Terms of Use</source>
            <translation>Nutzungsbedingungen von Gemma</translation>
        </message>
        <message>
            <source>Give each PC one span.</source>
            <translation>Geben Sie jedem PC einen Bereich.</translation>
        </message>
        <message>
            <source>Give it fewer layers.</source>
            <translation>Geben Sie ihm weniger Schichten.</translation>
        </message>
        <message>
            <source>Give it some, or take it out of the plan.</source>
            <translation>Geben Sie ihm welche, oder nehmen Sie ihn aus dem Plan.</translation>
        </message>
        <message>
            <source>HF_HUB_OFFLINE is set</source>
            <translation>HF_HUB_OFFLINE ist gesetzt</translation>
        </message>
        <message>
            <source>Idlepool runs already with {folder}{who}.</source>
            <translation>Idlepool läuft schon mit {folder}{who}.</translation>
        </message>
        <message>
            <source>Idlepool was closed on {name}.</source>
            <translation>Idlepool wurde auf {name} beendet.</translation>
        </message>
        <message>
            <source>Idlepool was closed there.</source>
            <translation>Idlepool wurde dort beendet.</translation>
        </message>
        <message>
            <source>If it does not say that it is paired, show a new code and pair it again.</source>
            <translation>Sagt er nicht, dass er gekoppelt ist, zeigen Sie einen neuen Code und koppeln Sie ihn noch einmal.</translation>
        </message>
        <message>
            <source>Input/output error</source>
            <translation>der Datenträger hat einen Fehler</translation>
        </message>
        <message>
            <source>Install pip</source>
            <translation>Installieren Sie pip</translation>
        </message>
        <message>
            <source>Install them (several GB) with: pip install "idlepool[convert]"</source>
            <translation>Installieren Sie sie (mehrere GB) mit: pip install "idlepool[convert]"</translation>
        </message>
        <message>
            <source>Invalid argument</source>
            <translation>ungültige Angabe</translation>
        </message>
        <message>
            <source>Is Idlepool running there?</source>
            <translation>Läuft Idlepool dort?</translation>
        </message>
        <message>
            <source>Is a directory</source>
            <translation>es ist ein Ordner</translation>
        </message>
        <message>
            <source>Is it still shown there, and is that its address?</source>
            <translation>Wird er dort noch angezeigt, und stimmt die Adresse?</translation>
        </message>
        <message>
            <source>It can be tried {tries}.</source>
            <translation>Es sind noch Versuche möglich: {tries}.</translation>
        </message>
        <message>
            <source>It could not be read: {strerror}.</source>
            <translation>Es konnte nicht gelesen werden: {strerror}.</translation>
        </message>
        <message>
            <source>It gave no reason.</source>
            <translation>Er nannte keinen Grund.</translation>
        </message>
        <message>
            <source>It has {value} GB for layers, and the smallest one takes {value_} GB.</source>
            <translation>Er hat {value} GB für Schichten, und die kleinste braucht {value_} GB.</translation>
        </message>
        <message>
            <source>It is not announced in this network, and no address is known at which it answered before.</source>
            <translation>Er meldet sich in diesem Netz nicht, und es ist keine Adresse bekannt, unter der er zuvor antwortete.</translation>
        </message>
        <message>
            <source>It is not here.</source>
            <translation>Er ist nicht da.</translation>
        </message>
        <message>
            <source>It is not paired with this PC.</source>
            <translation>Er ist nicht mit diesem PC gekoppelt.</translation>
        </message>
        <message>
            <source>It lends nothing at the moment ({lends_reason}).</source>
            <translation>Er verleiht im Moment nichts ({lends_reason}).</translation>
        </message>
        <message>
            <source>It must be 0 (always the best token) or more.</source>
            <translation>Erlaubt ist 0 (immer das beste Token) oder mehr.</translation>
        </message>
        <message>
            <source>It must be 0 (no limit) or more.</source>
            <translation>Erlaubt ist 0 (keine Grenze) oder mehr.</translation>
        </message>
        <message>
            <source>It must be a whole number from 0 to {value}.</source>
            <translation>Erlaubt ist eine ganze Zahl von 0 bis {value}.</translation>
        </message>
        <message>
            <source>It must be above 0 and at most 1 (no limit).</source>
            <translation>Erlaubt ist mehr als 0 und höchstens 1 (keine Grenze).</translation>
        </message>
        <message>
            <source>It must be at most {value} finite numbers, each for another token.</source>
            <translation>Erlaubt sind höchstens {value} endliche Zahlen, jede für ein anderes Token.</translation>
        </message>
        <message>
            <source>It must be from -2 to 2.</source>
            <translation>Erlaubt ist -2 bis 2.</translation>
        </message>
        <message>
            <source>It must be from 0 (no limit) to 1.</source>
            <translation>Erlaubt ist 0 (keine Grenze) bis 1.</translation>
        </message>
        <message>
            <source>It must be from 0 to {value}, or -1 for none.</source>
            <translation>Erlaubt ist 0 bis {value}, oder -1 für keine.</translation>
        </message>
        <message>
            <source>It must be from 0.01 to 100.</source>
            <translation>Erlaubt ist 0,01 bis 100.</translation>
        </message>
        <message>
            <source>It sent too many pings.</source>
            <translation>Er sandte zu viele Pings.</translation>
        </message>
        <message>
            <source>It sent too many {what} in a short time. Start Idlepool there again.</source>
            <translation>Er sandte zu viele {what} in kurzer Zeit. Starten Sie Idlepool dort neu.</translation>
        </message>
        <message>
            <source>Its disk has no room for a layer.</source>
            <translation>Sein Datenträger hat keinen Platz für eine Schicht.</translation>
        </message>
        <message>
            <source>Layers of “{name}” need {value} MB more of the disk, and they may have {value_} MB: {limit}.</source>
            <translation>Schichten von „{name}“ brauchen {value} MB mehr Speicherplatz, und erlaubt sind {value_} MB: {limit}.</translation>
        </message>
        <message>
            <source>Layers {first} to {last} need {value} GB; {name} has {value_} GB for them.</source>
            <translation>Die Schichten {first} bis {last} brauchen {value} GB; {name} hat dafür {value_} GB.</translation>
        </message>
        <message>
            <source>Leave it out, or say what the answer should end before.</source>
            <translation>Lassen Sie ihn weg, oder sagen Sie, wovor die Antwort enden soll.</translation>
        </message>
        <message>
            <source>Let it show the code and type that on the other PC, or leave the pool first: idlepool pair --leave</source>
            <translation>Lassen Sie ihn den Code zeigen und geben Sie diesen auf dem anderen PC ein, oder verlassen Sie zuerst den Pool.</translation>
        </message>
        <message>
            <source>Log in with: hf auth login</source>
            <translation>Melden Sie sich an mit: hf auth login</translation>
        </message>
        <message>
            <source>Look again at the code. Where the network keeps PCs from finding each other, type the address as well.</source>
            <translation>Sehen Sie sich den Code noch einmal an. Wo das Netz verhindert, dass PCs einander finden, geben Sie auch die Adresse ein.</translation>
        </message>
        <message>
            <source>Look again at what the other PC shows.</source>
            <translation>Sehen Sie sich noch einmal an, was der andere PC zeigt.</translation>
        </message>
        <message>
            <source>Models here: {join}.</source>
            <translation>Modelle hier: {join}.</translation>
        </message>
        <message>
            <source>Network is unreachable</source>
            <translation>das Netzwerk ist nicht erreichbar</translation>
        </message>
        <message>
            <source>No Hello came.</source>
            <translation>Es kam kein Hello.</translation>
        </message>
        <message>
            <source>No PC in this network shows a code that begins with {beginning}.</source>
            <translation>Kein PC in diesem Netz zeigt einen Code, der mit {beginning} beginnt.</translation>
        </message>
        <message>
            <source>No code has a “{strange}” in it.</source>
            <translation>In keinem Code kommt „{strange}“ vor.</translation>
        </message>
        <message>
            <source>No device here could take the layers {layers}: {tried}.</source>
            <translation>Kein Gerät hier konnte die Schichten {layers} übernehmen: {tried}.</translation>
        </message>
        <message>
            <source>No device of this PC can run layers.</source>
            <translation>Kein Gerät dieses PCs kann Schichten rechnen.</translation>
        </message>
        <message>
            <source>No model is here yet.</source>
            <translation>Noch ist kein Modell hier.</translation>
        </message>
        <message>
            <source>No route to host</source>
            <translation>kein Weg dorthin</translation>
        </message>
        <message>
            <source>No space left on device</source>
            <translation>der Datenträger ist voll</translation>
        </message>
        <message>
            <source>No such file or directory</source>
            <translation>nicht vorhanden</translation>
        </message>
        <message>
            <source>No text leaves the PC where it was typed before the first layer.</source>
            <translation>Vor der ersten Schicht verlässt kein Text den PC, auf dem er eingegeben wurde.</translation>
        </message>
        <message>
            <source>Nobody answers at {address}: {reason}.</source>
            <translation>Bei {address} antwortet niemand: {reason}.</translation>
        </message>
        <message>
            <source>Nobody shows a code at {tried}.</source>
            <translation>Bei {tried} zeigt niemand einen Code.</translation>
        </message>
        <message>
            <source>Not a directory</source>
            <translation>es ist kein Ordner</translation>
        </message>
        <message>
            <source>Nothing was asked for {idle_s} s.</source>
            <translation>{idle_s} s lang wurde nichts gefragt.</translation>
        </message>
        <message>
            <source>Nothing was heard for too long.</source>
            <translation>Zu lange war nichts zu hören.</translation>
        </message>
        <message>
            <source>Nothing was heard of it for {seconds} s.</source>
            <translation>Seit {seconds} s war nichts von ihm zu hören.</translation>
        </message>
        <message>
            <source>Nothing was said.</source>
            <translation>Es wurde nichts gesagt.</translation>
        </message>
        <message>
            <source>Only frames are taken on an activation link.</source>
            <translation>Auf einer Aktivierungsverbindung werden nur Frames angenommen.</translation>
        </message>
        <message>
            <source>OpenVINO cannot read the tokenizer's graphs</source>
            <translation>OpenVINO kann die Graphen des Tokenizers nicht lesen</translation>
        </message>
        <message>
            <source>OpenVINO cannot read {value} in “{name}”: {reason_of}</source>
            <translation>OpenVINO kann {value} in „{name}“ nicht lesen: {reason_of}</translation>
        </message>
        <message>
            <source>Operation not permitted</source>
            <translation>nicht erlaubt</translation>
        </message>
        <message>
            <source>Operation timed out</source>
            <translation>keine Antwort</translation>
        </message>
        <message>
            <source>Other PCs are not found by themselves here ({reason_of}).</source>
            <translation>Andere PCs werden hier nicht von selbst gefunden ({reason_of}).</translation>
        </message>
        <message>
            <source>Other PCs are not found by themselves here ({reason_of}). Add them by their address.</source>
            <translation>Andere PCs werden hier nicht von selbst gefunden ({reason_of}). Fügen Sie sie über ihre Adresse hinzu.</translation>
        </message>
        <message>
            <source>Other PCs of the pool use this one.</source>
            <translation>Andere PCs des Pools nutzen diesen.</translation>
        </message>
        <message>
            <source>Others are faster, nearer or have more room, and there are enough of them.</source>
            <translation>Andere sind schneller, näher oder haben mehr Platz, und es sind genug.</translation>
        </message>
        <message>
            <source>Pair them: idlepool pair</source>
            <translation>Koppeln Sie die PCs.</translation>
        </message>
        <message>
            <source>Pairing with the other PC failed: {reason}.</source>
            <translation>Das Koppeln mit dem anderen PC ist fehlgeschlagen: {reason}.</translation>
        </message>
        <message>
            <source>Permission denied</source>
            <translation>Zugriff verweigert</translation>
        </message>
        <message>
            <source>Picked ids came from a PC that does not run the last layers.</source>
            <translation>Gewählte Token kamen von einem PC, der nicht die letzten Schichten rechnet.</translation>
        </message>
        <message>
            <source>Port {port} is used by another program.</source>
            <translation>Port {port} wird von einem anderen Programm benutzt.</translation>
        </message>
        <message>
            <source>Put the right files there, or remove the model here and add it again.</source>
            <translation>Legen Sie die richtigen Dateien dorthin, oder entfernen Sie das Modell hier und fügen Sie es neu hinzu.</translation>
        </message>
        <message>
            <source>Read-only file system</source>
            <translation>der Datenträger ist schreibgeschützt</translation>
        </message>
        <message>
            <source>Remove it from another PC of the pool.</source>
            <translation>Entfernen Sie ihn von einem anderen PC des Pools aus.</translation>
        </message>
        <message>
            <source>Remove the model and add it again.</source>
            <translation>Entfernen Sie das Modell, und fügen Sie es neu hinzu.</translation>
        </message>
        <message>
            <source>Remove {path} and pair this PC again.</source>
            <translation>Löschen Sie {path}, und koppeln Sie diesen PC neu.</translation>
        </message>
        <message>
            <source>Sequence {sequence} is held up to position {held} only.</source>
            <translation>Die Folge {sequence} ist nur bis Stelle {held} vorhanden.</translation>
        </message>
        <message>
            <source>Set them again, with: idlepool lend when-idle</source>
            <translation>Stellen Sie sie in den Einstellungen neu ein.</translation>
        </message>
        <message>
            <source>Set them again.</source>
            <translation>Stellen Sie sie neu ein.</translation>
        </message>
        <message>
            <source>Shorten the conversation or ask later.</source>
            <translation>Kürzen Sie die Unterhaltung, oder fragen Sie später.</translation>
        </message>
        <message>
            <source>Shorten the message or start a new conversation.</source>
            <translation>Kürzen Sie die Nachricht, oder beginnen Sie eine neue Unterhaltung.</translation>
        </message>
        <message>
            <source>Show a new code and try again.</source>
            <translation>Zeigen Sie einen neuen Code, und versuchen Sie es erneut.</translation>
        </message>
        <message>
            <source>Show a new one.</source>
            <translation>Zeigen Sie einen neuen.</translation>
        </message>
        <message>
            <source>Show the code on a PC that may.</source>
            <translation>Zeigen Sie den Code auf einem PC, der das darf.</translation>
        </message>
        <message>
            <source>Something other than Idlepool, or an older version of it, came from {host}.</source>
            <translation>Von {host} kam etwas anderes als Idlepool oder eine ältere Version davon.</translation>
        </message>
        <message>
            <source>Something unexpected went wrong ({name__}).</source>
            <translation>Ein unerwarteter Fehler ist aufgetreten ({name__}).</translation>
        </message>
        <message>
            <source>Start Idlepool again; the log says what it found.</source>
            <translation>Starten Sie Idlepool neu; im Protokoll steht, was es fand.</translation>
        </message>
        <message>
            <source>Start Idlepool on {name} again.</source>
            <translation>Starten Sie Idlepool auf {name} neu.</translation>
        </message>
        <message>
            <source>Start a new one if asking again fails.</source>
            <translation>Beginnen Sie eine neue, wenn auch erneutes Fragen nicht hilft.</translation>
        </message>
        <message>
            <source>Take it out of the plan, or wait.</source>
            <translation>Nehmen Sie ihn aus dem Plan, oder warten Sie.</translation>
        </message>
        <message>
            <source>That code is void: {reason}.</source>
            <translation>Dieser Code ist ungültig: {reason}.</translation>
        </message>
        <message>
            <source>That is no pairing code.</source>
            <translation>Das ist kein Kopplungscode.</translation>
        </message>
        <message>
            <source>That is no part of a link test.</source>
            <translation>Das gehört nicht zu einem Verbindungstest.</translation>
        </message>
        <message>
            <source>That is no question about a model.</source>
            <translation>Das ist keine Frage nach einem Modell.</translation>
        </message>
        <message>
            <source>That is not the code that the other PC shows.</source>
            <translation>Das ist nicht der Code, den der andere PC zeigt.</translation>
        </message>
        <message>
            <source>That is this PC itself.</source>
            <translation>Das ist dieser PC selbst.</translation>
        </message>
        <message>
            <source>That model is not here.</source>
            <translation>Dieses Modell ist nicht hier.</translation>
        </message>
        <message>
            <source>The PC at {address}</source>
            <translation>Der PC bei {address}</translation>
        </message>
        <message>
            <source>The PC at {address} does not know this one.</source>
            <translation>Der PC bei {address} kennt diesen nicht.</translation>
        </message>
        <message>
            <source>The PC at {host}</source>
            <translation>Der PC bei {host}</translation>
        </message>
        <message>
            <source>The PC {node} is not here.</source>
            <translation>Der PC {node} ist nicht da.</translation>
        </message>
        <message>
            <source>The answer goes on by itself when a PC comes that can help.</source>
            <translation>Die Antwort geht von selbst weiter, wenn ein PC kommt, der helfen kann.</translation>
        </message>
        <message>
            <source>The answer goes on in a moment.</source>
            <translation>Die Antwort geht gleich weiter.</translation>
        </message>
        <message>
            <source>The cache has {blocks} blocks and {wanted} more are needed.</source>
            <translation>Der Zwischenspeicher hat {blocks} Blöcke, und {wanted} mehr sind nötig.</translation>
        </message>
        <message>
            <source>The connection to {name} broke.</source>
            <translation>Die Verbindung zu {name} ist abgebrochen.</translation>
        </message>
        <message>
            <source>The conversation has {tokens} tokens and the model holds {context}.</source>
            <translation>Die Unterhaltung hat {tokens} Token, und das Modell fasst {context}.</translation>
        </message>
        <message>
            <source>The conversation is too long to be sent to another PC.</source>
            <translation>Die Unterhaltung ist zu lang, um an einen anderen PC gesendet zu werden.</translation>
        </message>
        <message>
            <source>The conversion changed {tensor} by {error} (at most {limit} is allowed); it was thrown away.</source>
            <translation>Die Umwandlung veränderte {tensor} um {error} (höchstens {limit} ist erlaubt); sie wurde verworfen.</translation>
        </message>
        <message>
            <source>The files of “{name}” are not Idlepool's own, and it does not write there.</source>
            <translation>Die Dateien von „{name}“ gehören nicht Idlepool, und es schreibt dort nicht.</translation>
        </message>
        <message>
            <source>The head failed ({name__}).</source>
            <translation>Der steuernde PC hatte einen Fehler ({name__}).</translation>
        </message>
        <message>
            <source>The layers do not fit into the memory of the others and its own so that each has some.</source>
            <translation>Die Schichten passen nicht so in den Speicher der anderen und den eigenen, dass jeder welche hat.</translation>
        </message>
        <message>
            <source>The layers run on {device} ({backend}), because others would not do: {join}.</source>
            <translation>Die Schichten laufen auf {device} ({backend}), weil es anders nicht ging: {join}.</translation>
        </message>
        <message>
            <source>The link test makes no sense.</source>
            <translation>Der Verbindungstest ergibt keinen Sinn.</translation>
        </message>
        <message>
            <source>The link to {name} failed (code {code}).</source>
            <translation>Die Verbindung zu {name} ist abgebrochen (Code {code}).</translation>
        </message>
        <message>
            <source>The link to {name} is closed. {why_closed}</source>
            <translation>Die Verbindung zu {name} ist geschlossen. {why_closed}</translation>
        </message>
        <message>
            <source>The list of models</source>
            <translation>Die Liste der Modelle</translation>
        </message>
        <message>
            <source>The log has the details.</source>
            <translation>Einzelheiten stehen im Protokoll.</translation>
        </message>
        <message>
            <source>The logit bias names token {largest}.</source>
            <translation>Der Logit-Bias nennt das Token {largest}.</translation>
        </message>
        <message>
            <source>The model can hold {context} tokens: {prompt_tokens} of the conversation and {tokens} of this answer have filled it.</source>
            <translation>Das Modell fasst {context} Token: {prompt_tokens} der Unterhaltung und {tokens} dieser Antwort haben es gefüllt.</translation>
        </message>
        <message>
            <source>The model has no chunk {index}.</source>
            <translation>Das Modell hat keinen Teil {index}.</translation>
        </message>
        <message>
            <source>The model has no file called {name}.</source>
            <translation>Das Modell hat keine Datei namens {name}.</translation>
        </message>
        <message>
            <source>The model has {layers} layers and {len} PCs are here; {stages} stages were asked for.</source>
            <translation>Das Modell hat {layers} Schichten, und {len} PCs sind da; verlangt wurden {stages} Teile.</translation>
        </message>
        <message>
            <source>The model has {layers} layers for {len} PCs.</source>
            <translation>Das Modell hat {layers} Schichten für {len} PCs.</translation>
        </message>
        <message>
            <source>The model is no longer on the PC that answered about it.</source>
            <translation>Das Modell ist nicht mehr auf dem PC, der dafür antwortete.</translation>
        </message>
        <message>
            <source>The model needs {value} GB and the first {stages} PCs here lend {value_} GB.</source>
            <translation>Das Modell braucht {value} GB, und die ersten {stages} PCs hier verleihen {value_} GB.</translation>
        </message>
        <message>
            <source>The model needs {value} GB, {value_} GB of it for conversations of {context} tokens, and the PCs here have {value__} GB for it</source>
            <translation>Das Modell braucht {value} GB, davon {value_} GB für Unterhaltungen von {context} Token, und die PCs hier haben dafür {value__} GB</translation>
        </message>
        <message>
            <source>The model's chat template refuses this conversation{reason}.</source>
            <translation>Die Chat-Vorlage des Modells lehnt diese Unterhaltung ab{reason}.</translation>
        </message>
        <message>
            <source>The model's last layers gave no usable numbers.</source>
            <translation>Die letzten Schichten des Modells ergaben keine brauchbaren Zahlen.</translation>
        </message>
        <message>
            <source>The other PC</source>
            <translation>Der andere PC</translation>
        </message>
        <message>
            <source>The other PC is just being paired with another one.</source>
            <translation>Der andere PC wird gerade mit einem dritten gekoppelt.</translation>
        </message>
        <message>
            <source>The pipeline was closed.</source>
            <translation>Die Kette wurde geschlossen.</translation>
        </message>
        <message>
            <source>The plan begins with this PC, {name}, and each PC is in it once.</source>
            <translation>Der Plan beginnt mit diesem PC, {name}, und jeder PC kommt darin einmal vor.</translation>
        </message>
        <message>
            <source>The plan that you chose cannot be used any more.</source>
            <translation>Der gewählte Plan ist nicht mehr möglich.</translation>
        </message>
        <message>
            <source>The plan that you chose needs {left_out}, and you left that out of your plans.</source>
            <translation>Der gewählte Plan braucht {left_out}, und das ist aus den Plänen ausgenommen.</translation>
        </message>
        <message>
            <source>The plan that you chose waits for {away}.</source>
            <translation>Der gewählte Plan wartet auf {away}.</translation>
        </message>
        <message>
            <source>The plan that you made by hand for this model does not fit now. {sentence}</source>
            <translation>Der von Hand gemachte Plan für dieses Modell passt jetzt nicht. {sentence}</translation>
        </message>
        <message>
            <source>The private key of this PC cannot be read: {reason}.</source>
            <translation>Der private Schlüssel dieses PCs kann nicht gelesen werden: {reason}.</translation>
        </message>
        <message>
            <source>The private key of this PC lies in a file in {folder}: this system has no key store that could guard it. Keep others away from that folder.</source>
            <translation>Der private Schlüssel dieses PCs liegt in einer Datei in {folder}: Dieses System hat keinen Schlüsselspeicher, der ihn schützen könnte. Halten Sie andere von diesem Ordner fern.</translation>
        </message>
        <message>
            <source>The rules for lending in {path} cannot be read: {reason}.</source>
            <translation>Die Regeln zum Verleihen in {path} können nicht gelesen werden: {reason}.</translation>
        </message>
        <message>
            <source>The rules for lending made no sense; the old file is called {name} now. This PC lends nothing.</source>
            <translation>Die Regeln zum Verleihen ergaben keinen Sinn; die alte Datei heißt jetzt {name}. Dieser PC verleiht nichts.</translation>
        </message>
        <message>
            <source>The search for “{words}”</source>
            <translation>Das Ergebnis der Suche nach „{words}“</translation>
        </message>
        <message>
            <source>The settings in {path} cannot be read: {strerror}.</source>
            <translation>Die Einstellungen in {path} können nicht gelesen werden: {strerror}.</translation>
        </message>
        <message>
            <source>The settings in {path} made no sense.</source>
            <translation>Die Einstellungen in {path} ergaben keinen Sinn.</translation>
        </message>
        <message>
            <source>The settings in {path} made no sense; the old file is called {name} now.</source>
            <translation>Die Einstellungen in {path} ergaben keinen Sinn; die alte Datei heißt jetzt {name}.</translation>
        </message>
        <message>
            <source>The spans {told} are not the {layers} layers of the model.</source>
            <translation>Die Bereiche {told} sind nicht die {layers} Schichten des Modells.</translation>
        </message>
        <message>
            <source>The test is over.</source>
            <translation>Der Test ist vorbei.</translation>
        </message>
        <message>
            <source>The test of the link to {name} broke off.</source>
            <translation>Der Test der Verbindung zu {name} ist abgebrochen.</translation>
        </message>
        <message>
            <source>The test of the link to {name} took longer than {value} s.</source>
            <translation>Der Test der Verbindung zu {name} dauerte länger als {value} s.</translation>
        </message>
        <message>
            <source>There is no address to try.</source>
            <translation>Es gibt keine Adresse zum Probieren.</translation>
        </message>
        <message>
            <source>There is no layer left for it.</source>
            <translation>Für ihn bleibt keine Schicht übrig.</translation>
        </message>
        <message>
            <source>There is no model called “{name}”.</source>
            <translation>Es gibt kein Modell namens „{name}“.</translation>
        </message>
        <message>
            <source>There is nothing to answer.</source>
            <translation>Es gibt nichts zu beantworten.</translation>
        </message>
        <message>
            <source>These PCs are: {name}.</source>
            <translation>Diese PCs sind da: {name}.</translation>
        </message>
        <message>
            <source>These layers cannot run on an NPU: {reason}.</source>
            <translation>Diese Schichten können nicht auf einer NPU laufen: {reason}.</translation>
        </message>
        <message>
            <source>This PC</source>
            <translation>Dieser PC</translation>
        </message>
        <message>
            <source>This PC cannot listen on {host}, port {port}: {reason}.</source>
            <translation>Dieser PC kann auf {host}, Port {port}, nicht lauschen: {reason}.</translation>
        </message>
        <message>
            <source>This PC lends nothing at the moment.</source>
            <translation>Dieser PC verleiht im Moment nichts.</translation>
        </message>
        <message>
            <source>This PC lends nothing: every device it has is forbidden.</source>
            <translation>Dieser PC verleiht nichts: Jedes seiner Geräte ist verboten.</translation>
        </message>
        <message>
            <source>This PC lends nothing: {reason}.</source>
            <translation>Dieser PC verleiht nichts, denn {reason}.</translation>
        </message>
        <message>
            <source>This PC lends: {reason}.</source>
            <translation>Dieser PC verleiht, denn {reason}.</translation>
        </message>
        <message>
            <source>This PC may not take others into its pool.</source>
            <translation>Dieser PC darf keine anderen in seinen Pool aufnehmen.</translation>
        </message>
        <message>
            <source>This PC or another one can go on with it.</source>
            <translation>Dieser PC oder ein anderer kann damit weitermachen.</translation>
        </message>
        <message>
            <source>This PC shares a pool with {join} already.</source>
            <translation>Dieser PC teilt schon einen Pool mit {join}.</translation>
        </message>
        <message>
            <source>This PC shows that code itself.</source>
            <translation>Dieser PC zeigt den Code selbst.</translation>
        </message>
        <message>
            <source>This model cannot be spread over several PCs: {reason}.</source>
            <translation>Dieses Modell kann nicht auf mehrere PCs verteilt werden: {reason}.</translation>
        </message>
        <message>
            <source>This would take {tokens} tokens of the pool's memory for conversations, which holds {tokens_}.</source>
            <translation>Das bräuchte {tokens} Token des Pool-Speichers für Unterhaltungen, der {tokens_} fasst.</translation>
        </message>
        <message>
            <source>Tokens of this model must be below {vocabulary}.</source>
            <translation>Token dieses Modells müssen unter {vocabulary} liegen.</translation>
        </message>
        <message>
            <source>Too many open files</source>
            <translation>zu viele offene Dateien</translation>
        </message>
        <message>
            <source>Try again in a moment.</source>
            <translation>Versuchen Sie es gleich noch einmal.</translation>
        </message>
        <message>
            <source>Try again later.</source>
            <translation>Versuchen Sie es später noch einmal.</translation>
        </message>
        <message>
            <source>Try again.</source>
            <translation>Versuchen Sie es noch einmal.</translation>
        </message>
        <message>
            <source>Try it again in a moment.</source>
            <translation>Versuchen Sie es gleich noch einmal.</translation>
        </message>
        <message>
            <source>Try it again when that has ended.</source>
            <translation>Versuchen Sie es noch einmal, wenn das beendet ist.</translation>
        </message>
        <message>
            <source>Try it again.</source>
            <translation>Versuchen Sie es noch einmal.</translation>
        </message>
        <message>
            <source>Try it without a system message, or in a new conversation.</source>
            <translation>Versuchen Sie es ohne Systemnachricht oder in einer neuen Unterhaltung.</translation>
        </message>
        <message>
            <source>Type it on the other PC.</source>
            <translation>Geben Sie ihn auf dem anderen PC ein.</translation>
        </message>
        <message>
            <source>Type the address as well that the other PC shows.</source>
            <translation>Geben Sie auch die Adresse ein, die der andere PC zeigt.</translation>
        </message>
        <message>
            <source>Unlock the system's key store and start again. If the key is lost, remove certificate.der from the data folder, start again, and pair this PC anew.</source>
            <translation>Entsperren Sie den Schlüsselspeicher des Systems, und starten Sie neu. Ist der Schlüssel verloren, löschen Sie certificate.der aus dem Datenordner, starten Sie neu, und koppeln Sie diesen PC noch einmal.</translation>
        </message>
        <message>
            <source>Unset it, or add a folder with the model.</source>
            <translation>Heben Sie das auf, oder fügen Sie einen Ordner mit dem Modell hinzu.</translation>
        </message>
        <message>
            <source>Until you choose again, every PC of the pool may take part.</source>
            <translation>Bis Sie neu wählen, darf jeder PC des Pools mitmachen.</translation>
        </message>
        <message>
            <source>Use that one, or end it first.</source>
            <translation>Benutzen Sie dieses, oder beenden Sie es zuerst.</translation>
        </message>
        <message>
            <source>Use the GPU or the CPU for them.</source>
            <translation>Nehmen Sie dafür die GPU oder die CPU.</translation>
        </message>
        <message>
            <source>Waiting for {names}.</source>
            <translation>Wartet auf {names}.</translation>
        </message>
        <message>
            <source>What came is kept; try again when a PC with the model is there.</source>
            <translation>Das Bisherige bleibt erhalten; versuchen Sie es wieder, wenn ein PC mit dem Modell da ist.</translation>
        </message>
        <message>
            <source>What it can compute with is not known yet.</source>
            <translation>Womit er rechnen kann, ist noch nicht bekannt.</translation>
        </message>
        <message>
            <source>What this PC can compute with is not known yet, or nothing is lent.</source>
            <translation>Womit dieser PC rechnen kann, ist noch nicht bekannt, oder er verleiht nichts.</translation>
        </message>
        <message>
            <source>What was sent was not asked for.</source>
            <translation>Was gesendet wurde, war nicht verlangt.</translation>
        </message>
        <message>
            <source>Which models were being added cannot be read.</source>
            <translation>Welche Modelle gerade hinzugefügt wurden, ist nicht lesbar.</translation>
        </message>
        <message>
            <source>Which models were being added cannot be read; the old file is called {name} now.</source>
            <translation>Welche Modelle gerade hinzugefügt wurden, ist nicht lesbar; die alte Datei heißt jetzt {name}.</translation>
        </message>
        <message>
            <source>Windows keeps that name for a device</source>
            <translation>Windows hält diesen Namen für ein Gerät frei</translation>
        </message>
        <message>
            <source>With it a token would take {then} ms instead of {now} ms.</source>
            <translation>Mit ihm bräuchte ein Token {then} ms statt {now} ms.</translation>
        </message>
        <message>
            <source>With it {then} tokens would come in a second instead of {now}.</source>
            <translation>Mit ihm kämen {then} Token in der Sekunde statt {now}.</translation>
        </message>
        <message>
            <source>Without a number of stages all PCs share it.</source>
            <translation>Ohne Angabe der Teile teilen es sich alle PCs.</translation>
        </message>
        <message>
            <source>Write it like 192.168.1.20 or office-pc:{default_port}.</source>
            <translation>Schreiben Sie sie wie 192.168.1.20 oder office-pc:{default_port}.</translation>
        </message>
        <message>
            <source>You left it out of your plans.</source>
            <translation>Sie haben ihn von Ihren Plänen ausgenommen.</translation>
        </message>
        <message>
            <source>You show the certificate of one PC and the name of another.</source>
            <translation>Sie zeigen das Zertifikat eines PCs und den Namen eines anderen.</translation>
        </message>
        <message>
            <source>Your plans and the PCs that they leave out cannot be read.</source>
            <translation>Ihre Pläne und die dabei ausgelassenen PCs sind nicht lesbar.</translation>
        </message>
        <message>
            <source>Your plans and the PCs that they leave out cannot be read; the old file is called {name} now.</source>
            <translation>Ihre Pläne und die dabei ausgelassenen PCs sind nicht lesbar; die alte Datei heißt jetzt {name}.</translation>
        </message>
        <message>
            <source>a PC cannot remove itself</source>
            <translation>ein PC kann sich nicht selbst entfernen</translation>
        </message>
        <message>
            <source>a PC that is in the pool no more</source>
            <translation>einen PC, der nicht mehr im Pool ist</translation>
        </message>
        <message>
            <source>a file is named twice</source>
            <translation>eine Datei wird zweimal genannt</translation>
        </message>
        <message>
            <source>a layer's cost is negative</source>
            <translation>die Kosten einer Schicht sind negativ</translation>
        </message>
        <message>
            <source>a member has a name that cannot be shown</source>
            <translation>ein Mitglied hat einen Namen, der sich nicht zeigen lässt</translation>
        </message>
        <message>
            <source>a member has {error}</source>
            <translation>ein Mitglied hat {error}</translation>
        </message>
        <message>
            <source>a member's id is not that of its certificate</source>
            <translation>die Kennung eines Mitglieds ist nicht die seines Zertifikats</translation>
        </message>
        <message>
            <source>a model of the Hub is written hf:OWNER/NAME, or hf:OWNER/NAME@REVISION</source>
            <translation>ein Modell vom Hub schreibt sich hf:BESITZER/NAME oder hf:BESITZER/NAME@REVISION</translation>
        </message>
        <message>
            <source>a name has letters, digits, dots and dashes, and at most 64 of them</source>
            <translation>ein Name besteht aus Buchstaben, Ziffern, Punkten und Strichen, und aus höchstens 64 davon</translation>
        </message>
        <message>
            <source>a program fills its screen</source>
            <translation>ein Programm füllt den Bildschirm</translation>
        </message>
        <message>
            <source>a program runs that wants it for itself</source>
            <translation>ein Programm läuft, das ihn für sich braucht</translation>
        </message>
        <message>
            <source>a result could not be passed on: {sentence}</source>
            <translation>ein Ergebnis konnte nicht weitergegeben werden: {sentence}</translation>
        </message>
        <message>
            <source>a wrong code was typed too often</source>
            <translation>es wurde zu oft ein falscher Code eingegeben</translation>
        </message>
        <message>
            <source>access is denied</source>
            <translation>der Zugriff ist verweigert</translation>
        </message>
        <message>
            <source>an output of shape {shape} does not tell the size of its vocabulary</source>
            <translation>eine Ausgabe der Form {shape} verrät die Größe des Vokabulars nicht</translation>
        </message>
        <message>
            <source>another PC, {name}, answers there</source>
            <translation>dort antwortet ein anderer PC, {name}</translation>
        </message>
        <message>
            <source>another model has that name</source>
            <translation>ein anderes Modell hat diesen Namen</translation>
        </message>
        <message>
            <source>battery low</source>
            <translation>Akku schwach</translation>
        </message>
        <message>
            <source>bytes {offset} to {length} changed</source>
            <translation>die Bytes {offset} bis {length} haben sich geändert</translation>
        </message>
        <message>
            <source>changes of its status</source>
            <translation>Änderungen seines Zustands</translation>
        </message>
        <message>
            <source>characters in a stop text</source>
            <translation>Zeichen in einem Stopptext</translation>
        </message>
        <message>
            <source>characters in its conversation's name</source>
            <translation>Zeichen im Namen der Unterhaltung</translation>
        </message>
        <message>
            <source>chunk {index} has no SHA-256</source>
            <translation>Teil {index} hat kein SHA-256</translation>
        </message>
        <message>
            <source>chunk {index} has {length} bytes, not 1 to {value}</source>
            <translation>Teil {index} hat {length} Bytes, nicht 1 bis {value}</translation>
        </message>
        <message>
            <source>chunk {index} lies outside the weights</source>
            <translation>Teil {index} liegt außerhalb der Gewichte</translation>
        </message>
        <message>
            <source>chunk {index} of {name}</source>
            <translation>Teil {index} von {name}</translation>
        </message>
        <message>
            <source>chunk {index} overlaps the one before</source>
            <translation>Teil {index} überlappt den vorigen</translation>
        </message>
        <message>
            <source>chunks or costs are given for another number of layers than {layers}</source>
            <translation>Teile oder Kosten sind für eine andere Zahl von Schichten als {layers} angegeben</translation>
        </message>
        <message>
            <source>cosine {cosine} to the CPU's hidden states, the same choices</source>
            <translation>Kosinus {cosine} zu den Zuständen der CPU, dieselbe Wahl</translation>
        </message>
        <message>
            <source>discrete GPU</source>
            <translation>eigenständige GPU</translation>
        </message>
        <message>
            <source>disk cap</source>
            <translation>Grenze des Speicherplatzes</translation>
        </message>
        <message>
            <source>every device is forbidden</source>
            <translation>jedes Gerät ist verboten</translation>
        </message>
        <message>
            <source>fetches its layers</source>
            <translation>lädt seine Schichten herunter</translation>
        </message>
        <message>
            <source>frequency penalty</source>
            <translation>Häufigkeitsstrafe</translation>
        </message>
        <message>
            <source>full-screen program</source>
            <translation>Vollbildprogramm</translation>
        </message>
        <message>
            <source>has not begun</source>
            <translation>hat nicht begonnen</translation>
        </message>
        <message>
            <source>hidden window</source>
            <translation>verborgenes Fenster</translation>
        </message>
        <message>
            <source>idle time unknown</source>
            <translation>Leerlaufzeit unbekannt</translation>
        </message>
        <message>
            <source>integrated GPU</source>
            <translation>integrierte GPU</translation>
        </message>
        <message>
            <source>is a device on Windows</source>
            <translation>ist unter Windows ein Gerät</translation>
        </message>
        <message>
            <source>is no file of a model</source>
            <translation>ist keine Datei eines Modells</translation>
        </message>
        <message>
            <source>it answered something else</source>
            <translation>er antwortete etwas anderes</translation>
        </message>
        <message>
            <source>it answers a question, or is being loaded for one</source>
            <translation>es beantwortet eine Frage oder wird für eine geladen</translation>
        </message>
        <message>
            <source>it came with {size} bytes instead of {size_}</source>
            <translation>es kam mit {size} Bytes statt {size_}</translation>
        </message>
        <message>
            <source>it chooses other tokens than the CPU in {other} places</source>
            <translation>es wählt an {other} Stellen andere Token als die CPU</translation>
        </message>
        <message>
            <source>it closed the connection</source>
            <translation>er hat die Verbindung geschlossen</translation>
        </message>
        <message>
            <source>it does not decode ({error})</source>
            <translation>es lässt sich nicht lesen ({error})</translation>
        </message>
        <message>
            <source>it does not fit the certificate</source>
            <translation>er passt nicht zum Zertifikat</translation>
        </message>
        <message>
            <source>it does not know the code itself</source>
            <translation>er kennt den Code selbst nicht</translation>
        </message>
        <message>
            <source>it ends before byte {length}</source>
            <translation>es endet vor Byte {length}</translation>
        </message>
        <message>
            <source>it fell silent</source>
            <translation>er meldet sich nicht mehr</translation>
        </message>
        <message>
            <source>it has a member twice</source>
            <translation>sie nennt ein Mitglied zweimal</translation>
        </message>
        <message>
            <source>it has no tokenizer to compare, and its embeddings are not those of the model</source>
            <translation>es hat keinen Tokenizer zum Vergleichen, und seine Embeddings sind nicht die des Modells</translation>
        </message>
        <message>
            <source>it has no tokenizer to compare, and the model's embeddings are not on this PC</source>
            <translation>es hat keinen Tokenizer zum Vergleichen, und die Embeddings des Modells sind nicht auf diesem PC</translation>
        </message>
        <message>
            <source>it has no tokenizer to compare, and {len} of {len_} embeddings are not the model's ({first})</source>
            <translation>es hat keinen Tokenizer zum Vergleichen, und {len} von {len_} Embeddings sind nicht die des Modells ({first})</translation>
        </message>
        <message>
            <source>it has {body} bytes, and {value} are allowed</source>
            <translation>sie hat {body} Bytes, und {value} sind erlaubt</translation>
        </message>
        <message>
            <source>it has {found} bytes instead of {size}</source>
            <translation>es hat {found} Bytes statt {size}</translation>
        </message>
        <message>
            <source>it has {len} bytes instead of {size}</source>
            <translation>es hat {len} Bytes statt {size}</translation>
        </message>
        <message>
            <source>it has {members} members, and 1 to {value} are allowed</source>
            <translation>sie hat {members} Mitglieder, und 1 bis {value} sind erlaubt</translation>
        </message>
        <message>
            <source>it has {size} bytes and the graph reads {needed}</source>
            <translation>es hat {size} Bytes, und der Graph liest {needed}</translation>
        </message>
        <message>
            <source>it has {size} bytes instead of {wheel_bytes}</source>
            <translation>es hat {size} Bytes statt {wheel_bytes}</translation>
        </message>
        <message>
            <source>it hosts {value} stages already</source>
            <translation>er rechnet schon {value} Teile</translation>
        </message>
        <message>
            <source>it is being shut down or goes to sleep</source>
            <translation>er wird heruntergefahren oder geht in den Ruhezustand</translation>
        </message>
        <message>
            <source>it is gone</source>
            <translation>er ist nicht mehr da</translation>
        </message>
        <message>
            <source>it is missing</source>
            <translation>es fehlt</translation>
        </message>
        <message>
            <source>it is no GGUF file ({error})</source>
            <translation>es ist keine GGUF-Datei ({error})</translation>
        </message>
        <message>
            <source>it is not lent at the moment.</source>
            <translation>er wird im Moment nicht verliehen.</translation>
        </message>
        <message>
            <source>it is not newer than the one known here (epoch {epoch}, here {epoch_})</source>
            <translation>sie ist nicht neuer als die hier bekannte (Epoche {epoch}, hier {epoch_})</translation>
        </message>
        <message>
            <source>it is not there</source>
            <translation>es ist nicht da</translation>
        </message>
        <message>
            <source>it is of another pool</source>
            <translation>sie gehört zu einem anderen Pool</translation>
        </message>
        <message>
            <source>it is too hot</source>
            <translation>er ist zu heiß</translation>
        </message>
        <message>
            <source>it knows {widths} tokens and the model {widths_}</source>
            <translation>es kennt {widths} Token und das Modell {widths_}</translation>
        </message>
        <message>
            <source>it names no pool and no epoch</source>
            <translation>sie nennt keinen Pool und keine Epoche</translation>
        </message>
        <message>
            <source>it refuses the self-test ({reason_of})</source>
            <translation>es verweigert den Selbsttest ({reason_of})</translation>
        </message>
        <message>
            <source>it runs on battery</source>
            <translation>er läuft im Akkubetrieb</translation>
        </message>
        <message>
            <source>it sent a message of {length} bytes, where {max_bytes} are enough</source>
            <translation>er sandte eine Nachricht von {length} Bytes, wo {max_bytes} genügen</translation>
        </message>
        <message>
            <source>it sent another model's manifest</source>
            <translation>er sandte das Manifest eines anderen Modells</translation>
        </message>
        <message>
            <source>it sent its messages in another order</source>
            <translation>er sandte seine Nachrichten in anderer Reihenfolge</translation>
        </message>
        <message>
            <source>it sent more than the {most} bytes that were asked for</source>
            <translation>er sandte mehr als die verlangten {most} Bytes</translation>
        </message>
        <message>
            <source>it sent what is no key</source>
            <translation>er sandte, was kein Schlüssel ist</translation>
        </message>
        <message>
            <source>it sent what is no message of a pairing</source>
            <translation>er sandte, was nicht zum Koppeln gehört</translation>
        </message>
        <message>
            <source>it took too long</source>
            <translation>es dauerte zu lange</translation>
        </message>
        <message>
            <source>it was asked for the layers {first} to {last}</source>
            <translation>verlangt wurden die Schichten {first} bis {last}</translation>
        </message>
        <message>
            <source>it was typed wrong too often</source>
            <translation>er wurde zu oft falsch eingegeben</translation>
        </message>
        <message>
            <source>it was used or ran out</source>
            <translation>er wurde benutzt oder ist abgelaufen</translation>
        </message>
        <message>
            <source>its SHA-256 is not the one in the catalogue</source>
            <translation>sein SHA-256 ist nicht der aus dem Katalog</translation>
        </message>
        <message>
            <source>its SHA-256 is that of no wheel in the catalogue</source>
            <translation>sein SHA-256 gehört zu keinem Wheel im Katalog</translation>
        </message>
        <message>
            <source>its SHA-256 is wrong</source>
            <translation>sein SHA-256 ist falsch</translation>
        </message>
        <message>
            <source>its attention masks cannot be compared with the paged form's</source>
            <translation>seine Attention-Masken lassen sich nicht mit denen der Paged-Form vergleichen</translation>
        </message>
        <message>
            <source>its attention {layer} has no paged form ({reason} is not carried over)</source>
            <translation>seine Attention {layer} hat keine Paged-Form ({reason} wird nicht übernommen)</translation>
        </message>
        <message>
            <source>its battery is low</source>
            <translation>sein Akku ist schwach</translation>
        </message>
        <message>
            <source>its bias by distance</source>
            <translation>sein Bias nach Abstand</translation>
        </message>
        <message>
            <source>its certificate is another one than it said</source>
            <translation>sein Zertifikat ist ein anderes, als er sagte</translation>
        </message>
        <message>
            <source>its epoch is {epoch}, and {due} was due</source>
            <translation>ihre Epoche ist {epoch}, und {due} war fällig</translation>
        </message>
        <message>
            <source>its format {format} is not known here</source>
            <translation>sein Format {format} ist hier nicht bekannt</translation>
        </message>
        <message>
            <source>its head is of a form that cannot be narrowed</source>
            <translation>sein Kopf hat eine Form, die sich nicht verkleinern lässt</translation>
        </message>
        <message>
            <source>its hidden states have a cosine of {cosine} to the CPU's, {value} is needed</source>
            <translation>seine Zustände haben zu denen der CPU einen Kosinus von {cosine}, nötig ist {value}</translation>
        </message>
        <message>
            <source>its link to the next PC ended: {reason}</source>
            <translation>seine Verbindung zum nächsten PC endete: {reason}</translation>
        </message>
        <message>
            <source>its manifest cannot be read ({error})</source>
            <translation>sein Manifest kann nicht gelesen werden ({error})</translation>
        </message>
        <message>
            <source>its network is metered</source>
            <translation>sein Netzwerk ist getaktet</translation>
        </message>
        <message>
            <source>its owner chose other hours</source>
            <translation>der Besitzer hat andere Stunden gewählt</translation>
        </message>
        <message>
            <source>its owner wants it for a while</source>
            <translation>der Besitzer braucht ihn eine Weile selbst</translation>
        </message>
        <message>
            <source>its owner wants terms to be accepted first</source>
            <translation>der Besitzer verlangt, dass zuerst Bedingungen angenommen werden</translation>
        </message>
        <message>
            <source>its owner wants to lend always</source>
            <translation>der Besitzer möchte immer verleihen</translation>
        </message>
        <message>
            <source>its owner wants to lend nothing</source>
            <translation>der Besitzer möchte nichts verleihen</translation>
        </message>
        <message>
            <source>its self-test</source>
            <translation>sein Selbsttest</translation>
        </message>
        <message>
            <source>its signature is wrong</source>
            <translation>ihre Unterschrift ist falsch</translation>
        </message>
        <message>
            <source>its stage process answered {name__}</source>
            <translation>sein Rechenprozess antwortete {name__}</translation>
        </message>
        <message>
            <source>its stage process did not load the layers within {limit_s} s</source>
            <translation>sein Rechenprozess lud die Schichten nicht binnen {limit_s} s</translation>
        </message>
        <message>
            <source>its stage process did not start within {value} s</source>
            <translation>sein Rechenprozess startete nicht binnen {value} s</translation>
        </message>
        <message>
            <source>its stage process does not answer</source>
            <translation>sein Rechenprozess antwortet nicht</translation>
        </message>
        <message>
            <source>its stage process ended at once; what it said stands in the log</source>
            <translation>sein Rechenprozess endete sofort; was er sagte, steht im Protokoll</translation>
        </message>
        <message>
            <source>its stage process ended unexpectedly</source>
            <translation>sein Rechenprozess endete unerwartet</translation>
        </message>
        <message>
            <source>its stage process ended while it loaded the layers</source>
            <translation>sein Rechenprozess endete, während er die Schichten lud</translation>
        </message>
        <message>
            <source>its stage process ended while it was emptied</source>
            <translation>sein Rechenprozess endete, während er geleert wurde</translation>
        </message>
        <message>
            <source>its stage process sent a {name} frame unasked</source>
            <translation>sein Rechenprozess sandte ungefragt einen {name}-Frame</translation>
        </message>
        <message>
            <source>its vocabulary is another one, {share} (“{shown}” is {there}, in the model {here})</source>
            <translation>sein Vokabular ist ein anderes, {share} („{shown}“ ist {there}, im Modell {here})</translation>
        </message>
        <message>
            <source>its {key} is missing</source>
            <translation>{key} fehlt</translation>
        </message>
        <message>
            <source>last address</source>
            <translation>letzte Adresse</translation>
        </message>
        <message>
            <source>layer {layer} reads a chunk that does not exist</source>
            <translation>die Schicht {layer} liest einen Teil, den es nicht gibt</translation>
        </message>
        <message>
            <source>layers fetched for others may take {value} GB of it</source>
            <translation>für andere heruntergeladene Schichten dürfen {value} GB davon belegen</translation>
        </message>
        <message>
            <source>layers {first} to {last}</source>
            <translation>Schichten {first} bis {last}</translation>
        </message>
        <message>
            <source>leads out of the model's folder</source>
            <translation>führt aus dem Ordner des Modells hinaus</translation>
        </message>
        <message>
            <source>loading these layers</source>
            <translation>das Laden dieser Schichten</translation>
        </message>
        <message>
            <source>loads its layers</source>
            <translation>lädt seine Schichten in den Speicher</translation>
        </message>
        <message>
            <source>logit bias</source>
            <translation>Logit-Bias</translation>
        </message>
        <message>
            <source>memory cap</source>
            <translation>Grenze des Arbeitsspeichers</translation>
        </message>
        <message>
            <source>metered network</source>
            <translation>getaktetes Netzwerk</translation>
        </message>
        <message>
            <source>no PC in reach has them</source>
            <translation>kein erreichbarer PC hat sie</translation>
        </message>
        <message>
            <source>no PC of that name is known</source>
            <translation>kein PC dieses Namens ist bekannt</translation>
        </message>
        <message>
            <source>no answer within {handshake_seconds} s</source>
            <translation>keine Antwort binnen {handshake_seconds} s</translation>
        </message>
        <message>
            <source>no connection</source>
            <translation>keine Verbindung</translation>
        </message>
        <message>
            <source>no layers are loaded here</source>
            <translation>hier sind keine Schichten geladen</translation>
        </message>
        <message>
            <source>no package index could be reached</source>
            <translation>kein Paketverzeichnis war erreichbar</translation>
        </message>
        <message>
            <source>nobody answered a moment ago</source>
            <translation>eben antwortete niemand</translation>
        </message>
        <message>
            <source>nobody typed it in time</source>
            <translation>niemand gab ihn rechtzeitig ein</translation>
        </message>
        <message>
            <source>nobody uses it</source>
            <translation>niemand benutzt ihn</translation>
        </message>
        <message>
            <source>number of log-probabilities</source>
            <translation>Zahl der Log-Wahrscheinlichkeiten</translation>
        </message>
        <message>
            <source>on battery</source>
            <translation>Akkubetrieb</translation>
        </message>
        <message>
            <source>once more</source>
            <translation>einer</translation>
        </message>
        <message>
            <source>optimum-intel cannot export it ({reason})</source>
            <translation>optimum-intel kann es nicht exportieren ({reason})</translation>
        </message>
        <message>
            <source>other bytes came than the {length} that were asked for</source>
            <translation>es kamen andere Bytes als die verlangten {length}</translation>
        </message>
        <message>
            <source>other version</source>
            <translation>andere Version</translation>
        </message>
        <message>
            <source>others have all of its disk that they may have</source>
            <translation>andere belegen schon allen Speicherplatz, den sie bekommen dürfen</translation>
        </message>
        <message>
            <source>others have all of its memory that they may have</source>
            <translation>andere belegen schon allen Arbeitsspeicher, den sie bekommen dürfen</translation>
        </message>
        <message>
            <source>outside hours</source>
            <translation>außerhalb der Stunden</translation>
        </message>
        <message>
            <source>pip ended without a word</source>
            <translation>pip endete ohne ein Wort</translation>
        </message>
        <message>
            <source>prepares its layers</source>
            <translation>bereitet seine Schichten vor</translation>
        </message>
        <message>
            <source>presence penalty</source>
            <translation>Anwesenheitsstrafe</translation>
        </message>
        <message>
            <source>program running</source>
            <translation>Programm läuft</translation>
        </message>
        <message>
            <source>repetition penalty</source>
            <translation>Wiederholungsstrafe</translation>
        </message>
        <message>
            <source>somebody uses it</source>
            <translation>jemand benutzt ihn</translation>
        </message>
        <message>
            <source>something other than Idlepool, or an older version of it, answers</source>
            <translation>es antwortet etwas anderes als Idlepool oder eine ältere Version davon</translation>
        </message>
        <message>
            <source>something unexpected went wrong ({name__})</source>
            <translation>ein unerwarteter Fehler ist aufgetreten ({name__})</translation>
        </message>
        <message>
            <source>stop texts</source>
            <translation>Stopptexte</translation>
        </message>
        <message>
            <source>that server gives only whole files</source>
            <translation>dieser Server gibt nur ganze Dateien</translation>
        </message>
        <message>
            <source>the Hub answers with error {status}</source>
            <translation>der Hub antwortet mit Fehler {status}</translation>
        </message>
        <message>
            <source>the Hub answers with something else</source>
            <translation>der Hub antwortet mit etwas anderem</translation>
        </message>
        <message>
            <source>the Hub cannot be reached</source>
            <translation>der Hub ist nicht erreichbar</translation>
        </message>
        <message>
            <source>the Hub has no such file or revision</source>
            <translation>der Hub hat keine solche Datei oder Revision</translation>
        </message>
        <message>
            <source>the Hub has no such model, or it is private</source>
            <translation>der Hub hat kein solches Modell, oder es ist privat</translation>
        </message>
        <message>
            <source>the PC that signed it is no admin of the pool</source>
            <translation>der PC, der sie unterschrieb, ist kein Verwalter des Pools</translation>
        </message>
        <message>
            <source>the PC that signed it is no admin of the pool any more</source>
            <translation>der PC, der sie unterschrieb, ist kein Verwalter des Pools mehr</translation>
        </message>
        <message>
            <source>the chunks of layer {layer} are not in order</source>
            <translation>die Teile der Schicht {layer} sind nicht in der Reihenfolge</translation>
        </message>
        <message>
            <source>the connection broke</source>
            <translation>die Verbindung ist abgebrochen</translation>
        </message>
        <message>
            <source>the connection broke again and again; what came is kept</source>
            <translation>die Verbindung ist immer wieder abgebrochen; das Bisherige bleibt erhalten</translation>
        </message>
        <message>
            <source>the connection was refused</source>
            <translation>die Verbindung wurde abgelehnt</translation>
        </message>
        <message>
            <source>the conversion ended with code {code}</source>
            <translation>die Umwandlung endete mit Code {code}</translation>
        </message>
        <message>
            <source>the disk is full</source>
            <translation>der Datenträger ist voll</translation>
        </message>
        <message>
            <source>the end of the snooze has no time zone</source>
            <translation>das Ende der Pause hat keine Zeitzone</translation>
        </message>
        <message>
            <source>the first is token {ids}, with a cosine of {cosines}</source>
            <translation>das erste ist Token {ids}, mit einem Kosinus von {cosines}</translation>
        </message>
        <message>
            <source>the head</source>
            <translation>der steuernde PC</translation>
        </message>
        <message>
            <source>the model has {layers} layers, not {last}</source>
            <translation>das Modell hat {layers} Schichten, nicht {last}</translation>
        </message>
        <message>
            <source>the other PC</source>
            <translation>der andere PC</translation>
        </message>
        <message>
            <source>the process that held its layers has not ended yet</source>
            <translation>der Prozess, der seine Schichten hielt, ist noch nicht beendet</translation>
        </message>
        <message>
            <source>the system's key store does not give it ({name__})</source>
            <translation>der Schlüsselspeicher des Systems gibt ihn nicht heraus ({name__})</translation>
        </message>
        <message>
            <source>the tokenizer of “{name}” cannot be read: {reason_of}</source>
            <translation>der Tokenizer von „{name}“ kann nicht gelesen werden: {reason_of}</translation>
        </message>
        <message>
            <source>there is no member {node} to remove</source>
            <translation>es gibt kein Mitglied {node}, das sich entfernen ließe</translation>
        </message>
        <message>
            <source>there is no such folder</source>
            <translation>es gibt keinen solchen Ordner</translation>
        </message>
        <message>
            <source>there is no such folder or wheel, and the catalogue has only: {join}</source>
            <translation>es gibt keinen solchen Ordner und kein solches Wheel, und der Katalog hat nur: {join}</translation>
        </message>
        <message>
            <source>there is none</source>
            <translation>es gibt keine</translation>
        </message>
        <message>
            <source>they gave what is no number (NaN or infinity)</source>
            <translation>sie ergaben, was keine Zahl ist (NaN oder unendlich)</translation>
        </message>
        <message>
            <source>this PC</source>
            <translation>dieser PC</translation>
        </message>
        <message>
            <source>this PC computes with it for {head}</source>
            <translation>dieser PC rechnet damit für {head}</translation>
        </message>
        <message>
            <source>this PC is not in it</source>
            <translation>dieser PC steht nicht darin</translation>
        </message>
        <message>
            <source>this Python has no pip</source>
            <translation>dieses Python hat kein pip</translation>
        </message>
        <message>
            <source>this one</source>
            <translation>dieser</translation>
        </message>
        <message>
            <source>too hot</source>
            <translation>zu heiß</translation>
        </message>
        <message>
            <source>two of its members have certificates of the same subject</source>
            <translation>zwei ihrer Mitglieder haben Zertifikate auf denselben Namen</translation>
        </message>
        <message>
            <source>user active</source>
            <translation>wird benutzt</translation>
        </message>
        <message>
            <source>what came is not what the Hub says it is</source>
            <translation>was kam, ist nicht, was der Hub angibt</translation>
        </message>
        <message>
            <source>what came to mend it is wrong as well</source>
            <translation>was zum Ausbessern kam, ist ebenfalls falsch</translation>
        </message>
        <message>
            <source>what is there instead is no key</source>
            <translation>was stattdessen dort liegt, ist kein Schlüssel</translation>
        </message>
        <message>
            <source>what it sent was changed on the way</source>
            <translation>was er sandte, wurde unterwegs verändert</translation>
        </message>
        <message>
            <source>whether somebody uses it cannot be found out</source>
            <translation>ob ihn jemand benutzt, lässt sich nicht feststellen</translation>
        </message>
        <message>
            <source>which tokens it sees</source>
            <translation>welche Token es sieht</translation>
        </message>
        <message>
            <source>{address} refused the link: {reason}</source>
            <translation>{address} lehnte die Verbindung ab: {reason}</translation>
        </message>
        <message>
            <source>{asked} is forbidden.</source>
            <translation>{asked} ist verboten.</translation>
        </message>
        <message>
            <source>{asked} is no device of this PC.</source>
            <translation>{asked} ist kein Gerät dieses PCs.</translation>
        </message>
        <message>
            <source>{by} removed this PC from the pool.</source>
            <translation>{by} hat diesen PC aus dem Pool entfernt.</translation>
        </message>
        <message>
            <source>{count} PCs were asked for; only these are here: {names}.</source>
            <translation>{count} PCs wurden verlangt; nur diese sind da: {names}.</translation>
        </message>
        <message>
            <source>{device} cannot run it ({reason_of})</source>
            <translation>{device} kann es nicht rechnen ({reason_of})</translation>
        </message>
        <message>
            <source>{file} is damaged: {reason}.</source>
            <translation>{file} ist beschädigt: {reason}.</translation>
        </message>
        <message>
            <source>{here} Add one with: idlepool models add starter</source>
            <translation>{here} Fügen Sie eines auf der Seite „Modelle“ hinzu.</translation>
        </message>
        <message>
            <source>{hint} Or let PCs take part again that you left out: {join}.</source>
            <translation>{hint} Oder lassen Sie PCs wieder teilnehmen, die Sie ausgenommen haben: {join}.</translation>
        </message>
        <message>
            <source>{hint}, or a smaller model.</source>
            <translation>{hint}, oder mit einem kleineren Modell.</translation>
        </message>
        <message>
            <source>{hint}, or conversations of {context} tokens</source>
            <translation>{hint}, oder mit Unterhaltungen von {context} Token</translation>
        </message>
        <message>
            <source>{join} missing</source>
            <translation>es fehlt {join}</translation>
        </message>
        <message>
            <source>{join} missing in the repository</source>
            <translation>im Repository fehlt {join}</translation>
        </message>
        <message>
            <source>{left} times more</source>
            <translation>{left}</translation>
        </message>
        <message>
            <source>{len} bytes came where a bit for each of {count} chunks was due.</source>
            <translation>{len} Bytes kamen, wo für jeden der {count} Teile ein Bit fällig war.</translation>
        </message>
        <message>
            <source>{len} of {len_} words differ</source>
            <translation>{len} von {len_} Wörtern sind anders</translation>
        </message>
        <message>
            <source>{len} spans were given for {pcs} PCs.</source>
            <translation>{len} Bereiche wurden für {pcs} PCs angegeben.</translation>
        </message>
        <message>
            <source>{name} (Idlepool {build})</source>
            <translation>{name} (Idlepool {build})</translation>
        </message>
        <message>
            <source>{name} answers there and says that it is another PC</source>
            <translation>{name} antwortet dort und sagt, dass es ein anderer PC ist</translation>
        </message>
        <message>
            <source>{name} belongs to another pool.</source>
            <translation>{name} gehört zu einem anderen Pool.</translation>
        </message>
        <message>
            <source>{name} closed the link.</source>
            <translation>{name} hat die Verbindung geschlossen.</translation>
        </message>
        <message>
            <source>{name} could not run its layers: {reason}</source>
            <translation>{name} konnte seine Schichten nicht rechnen: {reason}</translation>
        </message>
        <message>
            <source>{name} has no SHA-256</source>
            <translation>{name} hat kein SHA-256</translation>
        </message>
        <message>
            <source>{name} has the type {name_}</source>
            <translation>{name} hat den Typ {name_}</translation>
        </message>
        <message>
            <source>{name} has this model, and plans for it when asked.</source>
            <translation>{name} hat dieses Modell und plant dafür, wenn es gefragt wird.</translation>
        </message>
        <message>
            <source>{name} has {crowd} to {name_} already.</source>
            <translation>{name} hat schon {crowd} zu {name_}.</translation>
        </message>
        <message>
            <source>{name} has {size} bytes, not 0 to {value}</source>
            <translation>{name} hat {size} Bytes, nicht 0 bis {value}</translation>
        </message>
        <message>
            <source>{name} is damaged</source>
            <translation>{name} ist beschädigt</translation>
        </message>
        <message>
            <source>{name} is missing</source>
            <translation>{name} fehlt</translation>
        </message>
        <message>
            <source>{name} is not here.</source>
            <translation>{name} ist nicht da.</translation>
        </message>
        <message>
            <source>{name} is used instead.</source>
            <translation>Stattdessen wird {name} benutzt.</translation>
        </message>
        <message>
            <source>{name} is {value}, not 1 to {most}</source>
            <translation>{name} ist {value}, nicht 1 bis {most}</translation>
        </message>
        <message>
            <source>{name} listens on {port}. Ctrl+C ends it.</source>
            <translation>{name} lauscht auf {port}. Strg+C beendet es.</translation>
        </message>
        <message>
            <source>{name} speaks protocol version {version}, {other} version {other_version}: update the older one.</source>
            <translation>{name} spricht Protokollversion {version}, {other} Version {other_version}: Aktualisieren Sie das ältere.</translation>
        </message>
        <message>
            <source>{name} stopped lending: {reason}</source>
            <translation>{name} verleiht nicht mehr: {reason}</translation>
        </message>
        <message>
            <source>{name} stopped sending.</source>
            <translation>{name} sendet nicht mehr.</translation>
        </message>
        <message>
            <source>{name} was taken into the pool, but broke off before it knew.</source>
            <translation>{name} wurde in den Pool aufgenommen, brach aber ab, bevor er es erfuhr.</translation>
        </message>
        <message>
            <source>{name}, which answered this, is gone.</source>
            <translation>{name}, der das beantwortete, ist nicht mehr da.</translation>
        </message>
        <message>
            <source>{name}, which held layers {first} to {last}, is gone.</source>
            <translation>{name} mit den Schichten {first} bis {last} ist nicht mehr da.</translation>
        </message>
        <message>
            <source>{own_name} is in another pool now.</source>
            <translation>{own_name} ist jetzt in einem anderen Pool.</translation>
        </message>
        <message>
            <source>{path} could not be read: {reason}.</source>
            <translation>{path} konnte nicht gelesen werden: {reason}.</translation>
        </message>
        <message>
            <source>{path} could not be written: {reason}.</source>
            <translation>{path} konnte nicht geschrieben werden: {reason}.</translation>
        </message>
        <message>
            <source>{path} is no OpenVINO language model: {reason}.</source>
            <translation>{path} ist kein OpenVINO-Sprachmodell: {reason}.</translation>
        </message>
        <message>
            <source>{peer} chose another link.</source>
            <translation>{peer} wählte eine andere Verbindung.</translation>
        </message>
        <message>
            <source>{peer} said nothing.</source>
            <translation>{peer} sagte nichts.</translation>
        </message>
        <message>
            <source>{said}, but not room for its layers on their disks.</source>
            <translation>{said}, aber auf ihren Datenträgern keinen Platz für seine Schichten.</translation>
        </message>
        <message>
            <source>{said}, in parts that its layers do not fit into.</source>
            <translation>{said}, in Teilen, in die seine Schichten nicht passen.</translation>
        </message>
        <message>
            <source>{said}: {value} GB are missing.</source>
            <translation>{said}: Es fehlen {value} GB.</translation>
        </message>
        <message>
            <source>{sentence} Commands in a terminal do not reach Idlepool.</source>
            <translation>{sentence} Befehle in einem Terminal erreichen Idlepool nicht.</translation>
        </message>
        <message>
            <source>{sentence} This PC lends nothing until you choose again.</source>
            <translation>{sentence} Dieser PC verleiht nichts, bis Sie es neu einstellen.</translation>
        </message>
        <message>
            <source>{source} cannot be converted: {reason}.</source>
            <translation>{source} kann nicht umgewandelt werden: {reason}.</translation>
        </message>
        <message>
            <source>{title}. Its source names no licence.</source>
            <translation>{title}. Die Quelle nennt keine Lizenz.</translation>
        </message>
        <message>
            <source>{title}. Licence: {name}{agreed}</source>
            <translation>{title}. Lizenz: {name}{agreed}</translation>
        </message>
        <message>
            <source>{value} GB of it are always left free</source>
            <translation>{value} GB davon bleiben immer frei</translation>
        </message>
        <message>
            <source>{value} MB are needed and {value_} MB are free</source>
            <translation>{value} MB werden gebraucht, und {value_} MB sind frei</translation>
        </message>
        <message>
            <source>{value} MB of “{name}” are missing here</source>
            <translation>{value} MB von „{name}“ fehlen hier</translation>
        </message>
        <message>
            <source>{value} is no graph ({error})</source>
            <translation>{value} ist kein Graph ({error})</translation>
        </message>
        <message>
            <source>{value}, which names it, is damaged</source>
            <translation>{value}, das ihn nennt, ist beschädigt</translation>
        </message>
        <message>
            <source>{waiting} questions are waiting to be answered already.</source>
            <translation>{waiting} Fragen warten schon auf eine Antwort.</translation>
        </message>
        <message>
            <source>{what} could not be fetched: {reason}.</source>
            <translation>{what} konnte nicht geladen werden: {reason}.</translation>
        </message>
        <message>
            <source>{what} did not end within {limit_s} s the last time</source>
            <translation>{what} endete das letzte Mal nicht binnen {limit_s} s</translation>
        </message>
        <message>
            <source>{what} is made with PyTorch and optimum-intel, which are not installed here.</source>
            <translation>{what} wird mit PyTorch und optimum-intel erzeugt, die hier nicht installiert sind.</translation>
        </message>
        <message>
            <source>{what} was begun {unfinished} times and took the process down each time</source>
            <translation>{what} wurde {unfinished}-mal begonnen und riss jedes Mal den Prozess mit</translation>
        </message>
        <message>
            <source>{who} is not paired with this PC.</source>
            <translation>{who} ist nicht mit diesem PC gekoppelt.</translation>
        </message>
        <message>
            <source>{who} was removed from the pool.</source>
            <translation>{who} wurde aus dem Pool entfernt.</translation>
        </message>
        <message>
            <source>“{draft}” cannot draft for this model: {reason}.</source>
            <translation>„{draft}“ kann für dieses Modell nicht vorausraten: {reason}.</translation>
        </message>
        <message>
            <source>“{name}” is in use: {reason}.</source>
            <translation>„{name}“ ist in Gebrauch: {reason}.</translation>
        </message>
        <message>
            <source>“{name}” is not here</source>
            <translation>„{name}“ ist nicht hier</translation>
        </message>
        <message>
            <source>“{text}” is no address.</source>
            <translation>„{text}“ ist keine Adresse.</translation>
        </message>
        <message>
            <source>“{text}” may be behind any adapter of this PC.</source>
            <translation>„{text}“ kann hinter jedem Adapter dieses PCs liegen.</translation>
        </message>
    </context>
</TS>
