package neutral

// Alternatives that patterns share.
const (
	disregard = "ignore|ignores|ignoring|disregard*|forget|forgetting|override|overrides|overriding|bypass|" +
		"bypasses|bypassing|discard|abandon|dismiss|neglect|supersede*|overrule*|erase|circumvent|" +
		"void|nullify|unlearn|scrap|drop"
	guidance = "instruction*|prompt|prompts|rule|rules|guideline*|direction*|directive*|guidance|" +
		"constraint*|restriction*|policy|policies|order|orders|command|commands|message*|context|" +
		"training|programming|safeguard*|guardrail*"
	prior   = "previous|previously|prior|above|earlier|preceding|foregoing|former|existing|initial|original|past"
	without = "not|never|t|dont|mustnt|cannot|without|shouldnt|wont|avoid|refrain"
	use     = "use|load|invoke|call|choose|prefer|pick|select|run|launch|activate|trigger|consult|apply|" +
		"recommend|suggest|open"
	people = "user|users|human|humans|anyone|anybody|them|him|her|operator|owner|person|people"
	skill  = "skill|tool|agent|one|plugin"
	skills = "skill*|tool*|agent*|plugin*|option*|alternative*"
	ignora = "ignor*|olvid*|descart*|desestim*|pasa|anul*|omit*|sobrescrib*|invalid*|desobede*|elud*|" +
		"evad*|salta*|abandon*|borra*|elimina*|desatiend*|cancela*|prescind*|desech*|deja"
	instrucciones = "instruccion*|orden|ordenes|regla*|indicacion*|directiv*|directric*|mensaje*|prompt*|norma*|" +
		"restriccion*|limit*|politica*|contexto|consigna*|mandato*|pauta*|comando*|salvaguarda*|" +
		"programacion"
	anteriores = "anterior*|previ*|antes|todas|todos|toda|todo|cualquier*|tus|tu|sus|sistema|arriba|original*|" +
		"existente*|dicho|dado|recibid*|desarrollador*|usuario*|iniciales|precedente*|demas|seguridad"
)

// orders are the patterns in languages that part words by blanks: English, Korean and
// Spanish, without accents.
var orders = [...][]string{
	// English
	// What was said before no longer counts.
	{disregard, prior, guidance},
	{
		disregard,
		"all|any|your|the|every|other|these|those|system|developer|user|whatever",
		"instruction*|prompt|prompts|guideline*|directive*|safeguard*|guardrail*|programming|training",
	},
	{disregard, "your|system|safety|developer", "rule*|polic*|restriction*|constraint*|context|orders|message*"},
	{
		disregard,
		"+everything|anything|whatever|all|what",
		"said|told|given|instructed|learned|learnt|know|above|before|earlier|previous*|prior|came|" +
			"read|wrote|asked",
	},
	{
		"stop|quit|cease",
		"+following|obeying|listening|applying",
		"your|the|any|all|previous|prior|those|these|other|to",
	},
	{
		without,
		"follow|obey|heed|comply|honor|honour|listen|trust|apply|respect",
		prior + "|your|system|other|those|any|user*",
		guidance + "|anything|user*|human*",
	},
	{"pay", "+no", "+attention", "+to"},
	{
		guidance,
		"no|not|longer|now",
		"+longer|apply|count|matter|valid|relevant|binding|void|obsolete|cancelled|revoked|suspended|lifted",
	},
	{prior + "|your|all|those", guidance, "are|is|have|has", "now|been|no|not|hereby|null|void"},
	{
		"instruction*|guideline*|directive*|restriction*|rules",
		"+are|is|were|was|have|has",
		"void|obsolete|cancelled|canceled|revoked|superseded|suspended|lifted|outdated|invalid|null",
	},
	{
		"new|updated|real|actual|override|revised|true|secret",
		"+instruction*|directive*|orders",
		"follow*|below|are|from|supersede*|replace*|override*|apply|take",
	},
	{
		"these|this|my|following",
		"+instruction*|directive*|order|orders|message|text|note",
		"override*|supersede*|replace*|outrank*|trump*|cancel*|beats",
	},
	{
		"treat|consider|regard|accept|interpret",
		"this|these|the|my|following|it|all|everything",
		"as",
		"system|trusted|binding|authoritative|order|orders|law|root|admin*|official|user|void|null|" +
			"cancelled|obsolete|invalid|gospel|command|commands",
	},
	{"reset|clear|wipe|purge", "your", "memory|context|instruction*|rule*|mind|history"},
	{
		"system|developer",
		"+prompt|message|override",
		"is|are|was|reveal*|print*|show|override*|ignore*|changed|updated",
	},
	{
		"reveal|print|repeat|output|show|leak|disclose|display|dump|expose|recite|quote|paste|share|" +
			"tell|give|write|send|summarize|translate",
		"your|me|the|full|entire",
		"+system|hidden|initial|secret|original|internal|developer|exact|complete|confidential",
		"prompt|prompts|instruction*|message|guidelines|rules",
	},
	{
		"reveal|print|repeat|output|leak|disclose|dump|expose|recite|paste|share",
		"your",
		"prompt|instruction*|guidelines|secrets|rules|configuration",
	},
	// Who the model is or must be from here on.
	{"you", "+are", "+now"},
	{"youre", "+now|no"},
	{"you", "+are", "+no", "+longer"},
	{"you", "+are|re", "actually|really|hereby|secretly", "a|an|the|not|in|no"},
	{"you", "+are", "unrestricted|jailbroken|unfiltered|ordered|commanded|obliged|obligated|forbidden|prohibited"},
	{
		"you",
		"are|have",
		"authorized|authorised|permission|clearance|permitted|allowed",
		"+to",
		"execute|run|delete|send|access|ignore|bypass|skip|do|read|approve|install",
	},
	{
		"you",
		"+will|shall|must",
		"now|always|never|immediately|obey|comply|ignore|henceforth|answer|respond|act|pretend|" +
			"behave|become|only|not",
	},
	{"from", "+now|here|this", "+on|onwards|onward|point|moment|out"},
	{"henceforth|hereafter"},
	{"for|throughout", "the", "rest|remainder", "of", "this|the|our", "+conversation|session|chat|dialog*"},
	{
		"act|behave|respond|pretend|pose|roleplay|masquerade|operate",
		"as|like|that|to|though",
		"unrestricted|unfiltered|uncensored|jailbroken|dan|root|administrator|admin|superuser|evil|" +
			"hacker|you|limit*|human|another",
	},
	{"pretend|imagine", "+that|to|you|there|being", "you|be|are|have|no"},
	{
		"enter|enable|activate|switch|engage|enabling",
		"+to|into|in|the|developer|dan|god|jailbreak|admin|administrator|debug|unrestricted|sudo|" +
			"root|maintenance",
		"+mode|jailbreak|dan",
	},
	{
		"developer|dan|god|jailbreak|unrestricted|sudo|admin|administrator",
		"+mode",
		"enabled|activated|active|on|engaged",
	},
	{"no", "+longer", "bound|restricted|limited|subject|constrained"},
	{
		"your|my",
		"+only|sole|primary|true|real|new",
		"+task|goal|purpose|job|objective|mission|duty|identity|role|name|master|owner|loyalty|" +
			"priority|concern",
	},
	{"you", "+must|shall|should", "+load|invoke|call|follow|obey|trust|comply|execute"},
	{
		"assistant|model|claude|ai|llm",
		"+must|shall",
		"always|never|obey|ignore|comply|only|immediately|load|invoke|call|execute|run|follow|not",
	},
	{
		"^important|critical|mandatory|attention|urgent|warning|notice|note|alert|required",
		"+always|never|you|do|don|dont|must|ignore|before|first|use|load|invoke|call|run|this|all|" +
			"stop|system|the",
		"model|assistant|claude|ai|agent|instruction*|skill|tool|you|must|first|before|always|load|" +
			"invoke|other|user|now|immediately",
	},
	{
		"^important|critical|mandatory|attention|urgent",
		"+always|never|you|do|don|dont|must|ignore|before|first|use|load|invoke|call|run|this",
	},
	// This skill before all others.
	{
		"always|must|only|first|immediately|exclusively|invariably",
		use,
		"+this|me",
		"+skill|tool|agent|first|one|plugin|instead|over",
	},
	{"always", "+" + use, "+this|me"},
	{"always", "+default", "to", "this|me"},
	{
		use,
		"+this|me",
		"every|all|each|whatever|regardless|unconditionally|always|exclusively",
		"prompt*|request*|message*|turn*|conversation*|question*|answer*|everything|what|single",
	},
	{
		use + "|rank|place|put|prioritize|prioritise|list|rate|score",
		"+this|me|it",
		"over|above|ahead|first|top|highest|instead",
		"all|any|every|other*|anything|everything|of|competing|alternatives|rest",
	},
	{
		use + "|rank|place|put|prioritize|prioritise|list|rate|score|give|mark",
		"+this|me",
		"skill|tool|agent|as",
		"first|top|highest|best|maximum|above|over|ahead",
	},
	{
		"this",
		"+" + skill,
		"must|shall",
		"+be",
		"always|first|used|loaded|invoked|called|chosen|selected|run|preferred|first",
	},
	{
		"this",
		"+" + skill,
		"has|have|takes|take|outranks|supersedes|overrides|replaces|beats|trumps|is|comes|should|needs",
		"priority|precedence|highest|every|other|first|mandatory|required|always|obligatory|only|" +
			"supersede|preferred",
	},
	{"this", "+is", "+the", "+only", skill},
	{"before", "+any|every|all|each", "response*|answer*|reply|replies"},
	{
		without,
		"+" + use + "|consider|mention|list|show|look",
		"+any|another|other|different|competing|at",
		"skill*|tool*|agent*|other|plugin*",
	},
	{"no", "+other", skills, "should|may|must|can|is|are|will|needs"},
	{
		"ignore|skip|disable|disregard|uninstall|remove|hide|block|avoid|deactivate|suppress|reject|" + "distrust",
		"all|every|any|the",
		"+other|remaining|rest|competing|others",
		skills + "|of",
	},
	{
		"other|remaining|competing|all",
		"+" + skills,
		"are|is|must|should|have",
		"broken|deprecated|unsafe|malicious|disabled|removed|ignored|never|not|dangerous|inferior|" +
			"forbidden|compromised|wrong|untrusted|unreliable",
	},
	{"instead", "+of", "+any|all|every|other", skills + "|other"},
	{
		"every|each|all|any",
		"+prompt|message|turn|response|reply|answer|conversation|request|question|output|prompts|" +
			"messages|responses|replies|answers|requests",
		"must|should|shall|has|needs|requires",
		"go|start|begin|end|use|load|invoke|call|include|contain|mention|pass|be|this|route|first",
	},
	{
		"regardless|irrespective|matter",
		"of|what",
		"the|what|any",
		"user|users|prompt|human|question|request|says|said",
	},
	{disregard, "user|users|human", "request*|wish*|question*|message*|intent|prompt|wants|input"},
	{disregard, "+the|your|this", "user|users|human|humans"},
	{
		prior + "|your|those|whatever",
		"instruction*|guideline*|directive*|directions|rules|restrictions|message|messages|orders",
		"superseded|replaced|revoked|changed|overridden|test|void|expired|withdrawn",
	},
	{
		"instruction*|guideline*|directive*|directions|rules|restrictions|orders",
		"came|given|received|before|earlier|above|are|is|were",
		"superseded|revoked|overridden|withdrawn|void",
	},
	{"no", "+need|reason", "+to", "ask|consult|inform|tell|notify|confirm"},
	{"order|orders|command|commands|instruct|instructs|force|forbid", "+you", "to|and|from"},
	{"i", "+order|command|instruct|forbid|demand"},
	{
		"even",
		"+if|when|though",
		"user|users|human|they",
		"object*|disagree*|refuse*|protest*|complain*|decline*|denies|rejects|forbids",
	},
	{"assume|presume", "consent|permission|approval"},
	{
		"consider|treat|regard|report|call",
		"other|competing|remaining",
		skills,
		"broken|unsafe|malicious|harmful|useless|disabled|off|deprecated|unavailable",
	},
	{"set|put|leave|cast|throw", "+aside|away", "what|everything|your|all|any|previous|prior|those"},
	{"turn|switch|shut", "off", "safety|security|sandbox|filters|guardrail*|protections|confirmations"},
	{"new|updated|real|true", "+rules|orders", "only|follow|you|ignore|always|must"},
	{"dont|not|never", "+ask|question|hesitate|argue|wait", "just|questions|again|twice|execute|obey|run|do"},
	{"keep|stay|remain", "+quiet|silent|secret", "about|on|regarding|from"},
	{"assistant|claude|model|ai", "+ignore|disregard|forget|obey"},
	{"act|behave|operate|run", "+as", "+root|admin|administrator|superuser"},
	// Behind the user's back.
	{
		without,
		"tell|telling|inform|informing|reveal|revealing|notify|notifying|ask|asking|mention|" +
			"mentioning|alert|alerting|disclose|disclosing|warn|warning|let|show|showing|admit|report|" +
			"reporting|consult|consulting",
		people + "|to|this|that",
		people + "|know|see|this|that|instruction|instructions|about|it|first|anything|for|notice|find",
	},
	{
		without,
		"tell|telling|inform|informing|reveal|notify|notifying|ask|asking|alert|warn|consult",
		"+the|your|any|our|a",
		people,
	},
	{
		without,
		"+tell|telling|inform|informing|notify|notifying|ask|asking|alert|warn",
		"user|users|human|humans|anyone|anybody|them",
	},
	{
		"hide|conceal|keep|withhold|obscure",
		"this|it|that|these|the|any|all|everything|your",
		"from|secret|hidden|private|confidential",
		people + "|view|and",
	},
	{
		"user*|human*|anyone|they",
		"must|should|need|may|can|will",
		"not|never|t",
		"know|see|notice|find|learn|be|hear|suspect|realize|realise",
	},
	{
		"secretly|covertly|quietly|discreetly|stealthily|silently|surreptitiously",
		"send|upload|run|execute|install|copy|email|post|delete|read|collect|forward|add|record|" +
			"change|exfiltrate|append|transmit|include|insert|download|store|log|fetch|modify",
	},
	{"behind", "the", "+user*|human*|their", "back|backs"},
	{
		"without",
		"the",
		"user*|human*|owner*|their",
		"knowledge|knowing|noticing|consent|permission|approval|awareness|realizing|seeing",
	},
	// Leave that nobody gave.
	{
		"without",
		"+asking|confirmation|permission|approval|consent|hesitation|requesting|waiting",
		"for|first|confirmation|permission|approval|anyone|question*|consent|them|execute|run|delete|" +
			"proceed|user*|hesitation",
	},
	{
		"execute|run|delete|proceed|install|push|deploy|commit|do|approve|accept|carry|send|pay|write|go",
		"without",
		"asking|confirmation|permission|approval|consent|hesitation|requesting|waiting|confirming|" +
			"prompting|checking|review|question",
	},
	{
		"skip|bypass|disable|ignore|circumvent|evade|auto|suppress",
		"all|any|the|every|your|its",
		"permission*|approval*|confirmation*|sandbox*|security|safety",
		"prompt*|check*|dialog*|rule*|mode|filter*|setting*|step*|request*|restriction*|question*|" +
			"and|feature*",
	},
	{
		"skip|bypass|disable|circumvent|evade",
		"+permission*|approval*|confirmation*|sandbox|safety",
		"prompt*|check*|dialog*|filter*|request*|setting*|restriction*",
	},
	{
		"dont|not|never",
		"+wait|ask|stop|pause|request",
		"for",
		"confirmation|permission|approval|consent|user*|human*",
	},
	{
		"user|human|operator|owner|administrator|admin",
		"has|have|already|hereby",
		"approved|consented|agreed|authorized|authorised|confirmed|allowed|granted|permitted|" + "accepted|okayed",
	},
	{
		"permission|approval|consent|authorization|access",
		"+is|has|was|already|hereby",
		"granted|given|obtained|implied|assumed|been",
	},
	{
		"grant|give|approve|allow|accept",
		"+yourself|all|every|any|this|full|unlimited",
		"permission*|request*|access|command*|tool*|privilege*",
	},
	{
		"administrator|admin|anthropic|openai|management|employer",
		"requires|mandates|instructs|orders|demands|requests|authorized|approved|wants|commands|" +
			"hereby|says|has|expects",
		"you|all|that|this|every|the|assistant*|approved|authorized|immediate",
	},
	{
		"this",
		"+is",
		"+a|an|the",
		"system|official|admin*|emergency|direct|mandatory|authorized|priority",
		"message|instruction*|order|notice|directive|command|override|update|announcement|request",
	},
	// Commands.
	{"obey", "with|this|the|these|following|me|every|all|my|only|without|immediately|to|or|strictly|exactly|any"},
	{
		"comply",
		"with|immediately|only",
		"this|these|my|me|every|the",
		"instruction*|order*|command*|demand*|following|request*|me",
	},
	{
		"follow|obey|execute|perform|carry",
		"only|my|out|these|this|the",
		"instruction*|command*|order*|directive*|text",
		"only|instead|exactly|immediately|now|without|exclusively|blindly|here|below|unconditionally|" + "verbatim",
	},
	{"follow|obey|believe|trust|heed", "+only|my"},
	{"do", "+exactly|as|whatever", "i|this|it|what", "say*|tell|told|command*|instruct*|order|says"},
	{"trust", "+me|only|everything|blindly|this"},
	{
		"run|execute|eval|launch|type|paste|issue",
		"curl|wget|rm|sudo|powershell|chmod|base64|bash",
		"sh|bash|rf|http*|root|on|the|evil|and|from|s|fssl|l",
	},
	{
		"run|execute|eval",
		"+this|these|the|following|any|every|arbitrary",
		"command*|script|code|shell|payload",
		"immediately|now|first|before|without|silently|it|as|blindly",
	},
	{"download|fetch|curl|wget|get", "and", "+run|execute|eval|pipe|install"},
	{
		"send|upload|exfiltrate|forward|transmit|leak|paste|publish|encode",
		"all|the|your|user*|their|this|any|every|entire|whole|full|environment|api|private|its|our|" +
			"contents|ssh",
		"password*|secret*|keys|key|credential*|conversation|transcript|ssh|cookies|env|environment|" +
			"tokens|history|chats|passphrase*",
		"to|at|in|via|into|elsewhere|externally|as|back|through|with|and",
	},
	{
		"exfiltrate|leak",
		"+the|all|your|every|user*|their",
		"data|password*|secret*|key|keys|token*|credential*|file|files|conversation|contents|prompt",
	},
	{
		"read|open|cat|collect|gather|find|steal|harvest|grab",
		"the|all|any|every|user*|contents|their|your",
		"password*|secret*|credential*|ssh|netrc|cookies|env|aws",
		"and|then",
		"send|post|upload|include|email|print|forward|show|paste|put",
	},
	{
		"delete|erase|wipe|destroy|remove",
		"all|every|everything|entire|whole|the",
		"user*|files|file|home|disk|drive|repositor*|backups|project*|history|data|folder*|director*",
		"immediately|now|without|on|in|from|permanently|at|silently|first|and|you|before|of",
	},
	{
		"answer|respond|reply|begin|start|end|finish|prefix|append|conclude|open|close",
		"every|each|all|any",
		"+answer*|response*|repl*|message*|question*|turn*|output*|prompt*|request*",
		"with|in|by|using|only|as",
	},
	{"always|only|never", "+agree|refuse|praise|obey|comply|believe|claim"},
	{"always", "+answer|respond|reply|say", "with|in|that|yes|no|using|as|only"},
	{
		"refuse|decline",
		"to",
		"answer|help|assist|respond|cooperate|use|do|follow|discuss",
		"any|other|all|every|anything|the|unless|until|questions|requests|with",
	},
	{
		"say|state|claim|pretend|report|tell",
		"that",
		"+everything|all|no|the|you|this",
		"tests|passed|is|was|safe|fine|skill|succeeded|done|best|have",
	},
	{"stop", "+everything|what|whatever|all", "you|and|else|work|other"},
	{
		"remember|memorize|memorise|store|save",
		"this|these|the|following",
		"permanently|forever|always|rule*|instruction*",
	},
	// Korean
	{"이전|이전의|앞선|앞의|위의|위|기존|기존의|지금까지의|모든", "지시*|지침*|명령*|규칙*|프롬프트*|메시지*|안내*", "무시*|잊어*|잊고|따르지|버려*|폐기*"},
	{"시스템", "+프롬프트*|메시지*|지시*", "출력*|공개*|보여*|알려*|무시*"},
	{"지금부터|이제부터|앞으로", "너는|넌|당신은|네가|당신이|반드시|항상|무조건"},
	{"너는|넌|당신은", "이제|지금|반드시|항상|무조건|절대*"},
	{"반드시|항상|무조건|언제나", "이", "+스킬*|도구*|에이전트*"},
	{"이", "+스킬*|도구*|에이전트*", "반드시|항상|무조건|언제나|먼저|우선*", "사용*|호출*|실행*|불러*|로드*|선택*|쓰*|써*"},
	{"^중요|필수|긴급", "+항상|반드시|절대*|무조건|이전*|먼저"},
	{"다른", "+스킬*|도구*|에이전트*", "사용하지|쓰지|호출하지|무시*"},
	{"사용자에게|사용자한테", "알리지|말하지|묻지|밝히지|보여주지|언급하지|숨기*|알려주지"},
	// Spanish
	{ignora, anteriores, instrucciones},
	{ignora, instrucciones, anteriores + "|recibid*|dadas|dados|dado|anterior*|previ*"},
	{
		"no",
		"+sigas|obedezcas|cumplas|respetes|atiendas|escuches|apliques|consideres|tengas",
		instrucciones + "|caso|usuario|cuenta",
	},
	{"deja|dejen|para|cesa", "+de", "+seguir|obedecer|aplicar|cumplir|respetar|escuchar"},
	{"haz|hagas|haga|hacer", "+caso", "omiso"},
	{instrucciones, "ya", "+no"},
	{
		instrucciones,
		"quedan|queda|estan|han|son",
		"anulad*|cancelad*|revocad*|suspendid*|invalid*|sin|nul*|obsolet*|derogad*",
	},
	{
		"olvida|olvidate|olvide|ignora|ignore|descarta",
		"todo|todos|cuanto|lo|de",
		"que|anterior*|dicho|previo|antes|aprendido|demas",
	},
	{"a", "+partir", "+de", "+ahora|aqui|este"},
	{"de", "+ahora|aqui", "+en", "+adelante"},
	{"desde", "+ahora|aqui|este", "eres|debes|tu|solo|siempre|responde*|obedece*|ignora*|momento|actua*|en"},
	{"ahora", "+eres|seras|respondes|obedeces"},
	{"eres", "+ahora|dan|administrador|root|libre"},
	{"ya", "+no", "+eres|estas|tienes|debes|hay"},
	{
		"actua|finge|simula|comportate|responde|hazte|imagina",
		"como|que|ser|si|pasar",
		"administrador|sin|root|dan|hacker|desarrollador|no|eres|fueras|humano|usuario|tienes|otro|" +
			"otra|superusuario|por",
	},
	{
		"tu",
		"+unica|verdadera|nueva|unico|nuevo|verdadero|real",
		"+tarea|mision|objetivo|proposito|funcion|rol|identidad|dueno|amo|instruccion|prioridad",
	},
	{
		"debes|deberas|tienes|has|tendras",
		"+siempre|nunca|obedecer|ignorar|inmediatamente|ahora|cargar|invocar|llamar|ejecutar|seguir|que",
	},
	{
		"asistente|modelo|claude|ia",
		"+debe|tiene|debera",
		"siempre|nunca|obedecer|ignorar|solo|cargar|invocar|llamar|ejecutar|usar|que",
	},
	{
		"siempre|obligatoriamente|primero|solo|unicamente|exclusivamente|antes",
		"usa*|use|utiliz*|invoc*|invoqu*|carg*|llam*|elig*|elij*|escog*|escoj*|selecciona*|prefier*|" +
			"ejecut*|recomiend*",
		"esta|este|me|mi",
	},
	{
		"usa*|use|utiliz*|invoc*|invoqu*|carg*|llam*|elig*|elij*|escog*|escoj*|selecciona*|prefier*|" +
			"ejecut*|recomiend*|prioriza*|pon|coloca",
		"siempre|esta|este|primero",
		"esta|este|siempre|habilidad|herramienta|skill|agente|primero",
		"siempre|primero|antes|cada|toda*|todo*|cualquier*|sobre|habilidad|herramienta|skill|agente|" +
			"por|lugar|encima",
	},
	{
		"esta|este",
		"+habilidad|herramienta|skill|agente",
		"siempre|primero|antes|debe|obligatori*|prioridad|maxima|prevalece|sustituye|reemplaza|" +
			"precedencia|unica|unico",
	},
	{
		"no|nunca|jamas",
		"+uses|utilices|invoques|cargues|llames|elijas|consideres|recomiendes|emplees|abras|" +
			"selecciones|usar|usen|ejecutes",
		"otra*|otro*|ninguna|ningun|demas|las|los|cualquier",
	},
	{"ninguna|ningun", "+otra|otro", "habilidad|herramienta|skill|agente"},
	{
		"ignora*|desactiva*|omite|descarta*|evita|borra|desinstala*|bloquea*|elimina*",
		"otras|otros|demas|resto",
		"habilidad*|herramienta*|skill*|agente*|de",
	},
	{"otras|otros|demas", "+habilidad*|herramienta*|skill*|agente*", "son|estan|deben|no|estan"},
	{
		"en|para|a|ante|de|con",
		"+cada|todas|toda|cualquier|todos",
		"respuesta*|mensaje*|conversacion*|pregunta*|peticion*|prompt*|solicitud*|turno*",
		"usa*|carga*|invoca*|anade*|incluye*|llama*|ejecuta*|di|escribe|esta|este|debes",
	},
	{
		"no|nunca|sin|jamas",
		"digas|decir|decirle|decirles|decirselo|informes|informar|informarle|reveles|revelar|" +
			"notifiques|notificar|avises|avisar|preguntes|preguntar|preguntarle|menciones|mencionar|" +
			"muestres|cuentes|contar|contarle|adviertas|comentes|sepa|expliques|comunicar*|comuniques|" +
			"avisarle|consultar|consultes|consultarle|alertes|alertar|enteres|entere|enterarse",
		"usuario*|nadie|humano*|persona|cliente|operador|dueno|esto|propietario|nada",
	},
	{"que", "+el", "+usuario", "+no"},
	{"sin", "que", "usuario*|nadie|humano*", "sepa|vea|note|entere|lo|se"},
	{"ocult*|esconde*|guarda*", "al|del|a|el|en|este|esta|esto|todo", "usuario*|secreto|nadie|humano|mensaje"},
	{"a", "+espaldas"},
	{
		"secreto|escondidas|secretamente|discretamente|sigilosamente|disimuladamente|silencio",
		"envia*|manda*|sube|copia*|ejecuta*|instala*|borra*|elimina*|anade*|lee|recopila*",
	},
	{
		"envia*|manda*|sube|copia*|ejecuta*|instala*|borra*|elimina*|lee|recopila*",
		"secreto|escondidas|secretamente|discretamente|sigilosamente|disimuladamente|silencio",
	},
	{
		"sin",
		"+pedir|esperar|solicitar|requerir|confirmacion|permiso|autorizacion|aprobacion|" +
			"consentimiento|preguntar|consultar|confirmar|mas|ninguna",
	},
	{
		"omite|salta|saltate|desactiva|evita|elude|ignora",
		"la|las|los|el|todas|todos|cualquier",
		"confirmacion*|permiso*|aprobacion*|verificacion*|seguridad|sandbox|comprobacion*",
	},
	{
		"usuario|administrador|dueno|propietario|operador",
		"ya|ha|previamente",
		"aprobado|aprobo|autorizado|autorizo|aceptado|acepto|consentido|consintio|confirmado|" +
			"confirmo|permitido|dado|dio",
	},
	{"tienes|cuentas", "permiso|autorizacion|acceso|via", "para|total|completo|de|libre"},
	{
		"revela*|muestra*|muestrame|imprime*|repite*|ensena*|filtra*|divulga*|dime|escribe|copia|" +
			"publica|expon",
		"prompt|instrucciones|mensaje|indicaciones",
		"sistema|ocult*|inicial*|secret*|intern*|original*|confidencial*|de",
	},
	{
		"envia*|manda*|sube|subir|filtra*|reenvia*|transmite*|publica*|copia*|exporta*|exfiltra*|entrega",
		"contrasena*|clave|claves|token*|credencial*|secreto*|conversacion*|historial|cookies|ssh|variables",
	},
	{"ejecuta*|corre|lanza", "curl|wget|rm|sudo|bash"},
	{
		"ejecuta*|corre|lanza",
		"comando*|script|codigo|orden*|siguiente",
		"inmediatamente|ahora|ya|sin|primero|antes|siguiente|ahora",
	},
	{"inmediatamente|ahora", "+ejecuta*|corre|lanza|borra|envia"},
	{
		"borra*|elimina*|destruye*|formatea*",
		"todos|todas|todo|entero|completo|cada",
		"archivo*|datos|disco|repositorio*|carpeta*|directorio*|historial|ficheros|copias|contenido",
	},
	{"obedece*|acata|cumple", "solo|mis|estas|esta|me|todo|siguientes|a|unicamente|cada|sin|cualquier|lo"},
	{
		"sigue|siga|sigan|seguir",
		"solo|unicamente|exclusivamente|mis",
		"instrucciones|ordenes|indicaciones|estas|mi",
	},
	{"modo", "+desarrollador|dios|administrador|dan|root|depuracion|sin|jailbreak|superusuario"},
	{"nuevas|nueva|verdaderas|reales|actualizadas", "+instrucciones|ordenes|directivas|directrices"},
	{"no", "+hagas|hagan|haga", "+caso"},
	{
		instrucciones,
		"han|ha|fueron|eran|era|fue",
		"cambiado|sustituid*|reemplazad*|prueba|falsas|modificad*|revocad*",
	},
	{"aunque|incluso|pese", "el|la|al|si", "usuario*|cliente|operador"},
	{"no", "+preguntes|consultes|cuestiones"},
	{
		"da|dale|otorga|asigna|pon|ponle",
		"maxima|maximo|mejor",
		"puntuacion|nota|calificacion|prioridad|puntaje|valoracion|esta",
	},
	{
		"desactiva|apaga|deshabilita|quita",
		"la|las|los|el|toda|todas",
		"seguridad|sandbox|filtro*|proteccion*|restriccion*|confirmacion*|salvaguarda*",
	},
	{"guarda|manten|mantente", "silencio|secreto|callado|calla"},
	{"muestra|imprime|revela|dame|entrega|publica", "claves|contrasena*|token*|credencial*|secretos"},
	{"haz", "lo|todo|cuanto", "que", "diga|digo|ordene|mando|pida|te|dice|indique"},
	{"administrador|anthropic|empresa", "ordena|exige|manda|autoriza|autorizo|ordeno|obliga", "que|todo|a|el|la"},
	{
		"elige|escoge|usa|selecciona|prefiere",
		"esta|este",
		"opcion|skill|habilidad|herramienta|agente",
		"pase|siempre|sea|aunque|primero",
	},
	{"trata|considera|interpreta|toma", "esto|este|esta|estas", "orden*|mensaje|instruccion*|ley|mandato"},
	{
		"^importante|urgente|critico|obligatorio|atencion|aviso",
		"siempre|nunca|debes|ignora|primero|usa|carga|invoca|ejecuta|antes|sistema",
	},
	{
		"responde|contesta|di|termina|empieza|comienza|acaba|finaliza|inicia",
		"siempre|solo|cada|todas|unicamente|nada|a",
		"respuesta*|mensaje*|con|que|en|si|todo|cada|pregunta*",
	},
	{"antes", "+de", "+cualquier|cada|toda|responder|contestar|otra|hacer"},
	{
		"trata|considera|interpreta",
		"esto|este|esta|estas|lo",
		"como",
		"orden*|mensaje|instruccion*|sistema|ley|prioridad|del",
	},
}

// runs are the patterns that are looked for without blanks.
var runs = [...][]string{
	// Korean
	{
		"이전|앞선|앞의|앞서|위의|위에|기존|지금까지|원래|모든|받은|먼저받|종전|시스템|개발자|너의|네가받은|당신의|여태|그동안|사전에",
		"지시|지침|명령|규칙|프롬프트|메시지|안내|설정|제약|제한|정책|가이드|대화|맥락|말은|말을|내용은|내용을|들은것|배운것|훈련",
		"무시|잊|따르지|버리|버려|폐기|취소|무효|지워|지우|삭제하라|삭제해라|덮어쓰|우회|어기|어겨|신경쓰지|듣지|제쳐|상관하지|벗어나|해제|거부|적용되지|유효하지|없던|무관",
	},
	{"규칙|지침|제한|제약|안전장치|안전규칙", "우회하|무력화|벗어나라|벗어나세요|해제하라|해제하세요|어겨|무시하"},
	{"시스템프롬프트|시스템메시지|시스템지시|숨겨진지시|내부지침|내부지시|초기지시|비밀지시|숨은지시", "출력|공개|보여|알려|말해|누설|드러|적어|복사|그대로|무시|읊"},
	{"지금부터|이제부터|이순간부터|이시간부로|앞으로", "너는|넌|당신은|네가|당신이|내말|나의|이스킬|이도구|모든|오직|내지시|내명령|반드시|항상|무조건"},
	{"너는이제|넌이제|당신은이제|너는지금|당신은더이상|너는더이상|당신은지금|넌더이상|너는사실|당신은사실|너의진짜|당신의진짜|너의새로운|당신의새로운|너의유일한|당신의유일한"},
	{"너는|당신은|넌", "반드시|항상|무조건|절대|오직", "해야|하라|하세요|말|따라|사용|답|복종|호출|실행|거절|하지"},
	{
		"반드시|항상|무조건|언제나|꼭|매번|오직|가장먼저|최우선|제일먼저|언제든|무슨일이있어도|모든경우|모든요청|모든질문|" +
			"모든프롬프트|모든대화|모든답변|어떤요청|무엇을묻든|무엇이든|우선적으로",
		"이스킬|이도구|이에이전트|본스킬|이기능|나를|이것만|이것을",
		"사용|호출|실행|불러|로드|선택|써|쓰|골라|적용|부르|고르|추천|먼저|믿",
	},
	{
		"이스킬|이도구|이에이전트|본스킬",
		"반드시|항상|무조건|언제나|먼저|우선|최우선|가장|유일|매번|만을|만사용|모든",
		"사용|호출|실행|불러|로드|선택|쓰|써|골라|적용|추천|믿|순위|스킬|도구|두어|둬|올려",
	},
	{"이스킬|이도구|본스킬", "최우선|우선순위|우선한다|우선합니다|앞선다|대체한다|대신한다"},
	{
		"다른|그외|나머지|여타|딴",
		"스킬|도구|에이전트|플러그인",
		"사용하지|쓰지|호출하지|무시|금지|끄|꺼|비활성|부르지|고르지|선택하지|믿지|위험|쓸모|불러오지|폐기|보지|추천하지|실행하지|제치|제쳐|배제|차단|필요없",
	},
	{
		"사용자|유저|이용자|주인|관리자|아무|누구",
		"알리지|말하지|묻지|밝히지|보여주지|언급하지|숨기|숨겨|알려주지|모르게|몰래|비밀|들키지|보고하지|감춰|감추|물어보지|" +
			"동의없이|허락없이|눈치채|알아채|설명하지|통보하지|고지하지|확인받지|확인하지",
	},
	{"몰래|은밀히|조용히|비밀리에|슬쩍", "보내|전송|실행|삭제|설치|복사|업로드|수집|읽|지워|지우|추가|기록|빼내|넘겨|저장"},
	{
		"허락|확인|동의|승인|허가|질문|검토|권한확인|되묻",
		"없이|받지않|받지말|구하지|필요없|생략|건너뛰|기다리지|하지말",
		"실행|진행|삭제|설치|전송|보내|수행|적용|변경|지워|호출|커밋|푸시|배포|결제|바로|곧바로|즉시|처리|해라|하세요",
	},
	{"확인|승인|권한|허가|안전", "절차|단계|요청|검사|창|점검", "건너뛰|생략|우회|무시|끄|꺼"},
	{"사용자|관리자|주인|유저|운영자", "이미|벌써|모두|사전에|미리", "승인|동의|허락|허가|확인|허용"},
	{
		"비밀번호|암호|토큰|api키|자격증명|환경변수|대화내용|대화기록|개인정보|ssh키|쿠키|비밀키|시크릿|인증정보|비밀정보",
		"보내라|보내세요|보내줘|보내고|전송하|업로드하|유출|넘겨|게시하|복사해보내|이메일로|외부로|주소로|서버로",
	},
	{"내말|내지시|내명령|이지시|이명령|다음지시|다음명령|아래지시|아래명령|새로운지시|새지시|새로운명령|새명령|여기적힌", "만따|따르|따라|복종|수행하|들어|우선|실행하라|실행하세요"},
	{"복종하|순종하"},
	{"개발자모드|관리자모드|탈옥|무제한모드|디버그모드|루트권한|신모드", "전환|활성|켜|들어가|진입|해제|행동|되었|로동작|로서|획득"},
	{"인척|척해|척하|이라고가정|이라고생각하고|처럼행동하", "관리자|제한|행동하|대답|답하|해라|하세요|하라"},
	{"관리자|제한없는|무제한", "인척|처럼행동|로행동|역할을"},
	{"중요|필수|긴급|경고|주의", "반드시|절대|무조건|즉시|먼저이|이전", "사용|호출|실행|무시|따라|따르|불러|하지"},
	{"모든|매번|매|각", "답변|응답|대답|메시지|질문|요청|프롬프트", "이스킬|끝에|앞에|마다|전에|첫머리", "사용|붙|추가하|호출|불러|넣|실행|말하|써"},
	{"명령|curl|스크립트|쉘|셸", "즉시|당장|지금바로|몰래|조용히", "실행|돌려"},
	{"즉시|당장|지금바로|몰래|조용히", "명령|curl|스크립트|rm|쉘|셸", "실행|돌려"},
	{"모든|전체|홈", "파일|데이터|폴더|디렉터리|디스크|저장소|기록|백업", "삭제하라|삭제하세요|삭제해|지워|지우|없애|포맷"},
	{"파일|데이터|폴더|디스크|저장소|백업", "모두|전부|모조리|몽땅|죄다", "삭제|지워|지우|없애|포맷"},
	{"최우선|진짜|새로운|유일한", "임무는|목표는|지시는|명령은|과제는"},
	{"무조건", "복종|따라|따르|동의하|믿|승인|수락"},
	{"사용자|유저", "요청|의견|의사|뜻|반대", "무시|중요하지|상관없|신경쓰지|해도계속|하더라도|해도진행|하든|해도"},
	{"이파일|이문서|이글|여기|본문|이텍스트", "지시|명령|말", "따라야|따르|따라|복종|대로하"},
	{"이스킬|이도구", "않으면", "안된|안돼|안됩"},
	{"묻지말고|따지지말고|생각하지말고|의심하지말고|망설이지말고"},
	{"시스템|관리자|anthropic|앤트로픽|운영팀|보안팀", "승인했|허가했|허용했|명령했|지시했|명령한다|지시한다|요구한다"},
	{"api키|비밀번호|토큰|시크릿|비밀키", "출력하라|출력하세요|공개하|알려라|보여라|출력해라"},
	{"규칙|지침|제한|지시|안전장치", "따위|신경쓰지|개의치|아랑곳|없어졌|사라졌|무의미"},
	{"이문장|이글|이텍스트|아래내용|다음내용|이내용|이메시지", "시스템|명령|지시|법", "취급|간주|여겨|받아들|생각하"},
	{"매|모든", "대화|질문|요청|답변|응답", "이스킬|이도구"},
	{"점수|순위|우선|만점", "이스킬|이도구", "줘|주라|매겨|둬|올려|주어"},
	{"이스킬|이도구", "높은점수|최고점|만점|1위|맨위|1순위|최상위"},
	{"보안|안전|샌드박스|필터", "꺼라|끄세요|끄고|꺼버|해제하라|비활성화하|무력화|검사를꺼"},
	{"이스킬|이도구", "외에|말고|빼고|제외", "사용하지|쓰지|무시|꺼|비활성"},
	{"나머지|다른것", "비활성화|무시하|쓰지마|끄고|꺼라"},
	// Chinese
	{
		"忽略|无视|無視|忘记|忘掉|忘記|忘却|不要理会|不理会|不理會|别管|別管|不管|抛开|拋開|丢弃|抛弃|放弃|绕过|繞過|覆盖|覆蓋|" +
			"推翻|取消|跳过|跳過|不要遵守|不要遵循|停止遵循|停止遵守|不再遵循|不再遵守|违反|违背|删除|清除|作废|废除|撇开|不必遵守|" + "不用管|不必理会|不用理会|不要听|不听从|摒弃|舍弃",
		"之前|以前|先前|上面|上述|以上|前面|所有|全部|一切|任何|你的|您的|系统|系統|原有|原来|原先|此前|现有|开发者|早先|既有|先头|其他|其它|用户的|自己|安全|此前",
		"指令|指示|提示|规则|規則|命令|说明|說明|要求|内容|內容|约束|限制|消息|訊息|对话|對話|上下文|设定|設定|准则|政策|指南|的话|吩咐|规定|规范|信息|教导|训练|告诉",
	},
	{
		"把|将|將",
		"之前|以前|先前|上面|上述|以上|前面|所有|原来|原有|你的",
		"指令|指示|提示|规则|命令|要求|限制|设定|规定|内容|话",
		"忽略|忘|丢|作废|无视|抛|删|当作不存在|清空|清除|替换|覆盖",
	},
	{
		"之前|以前|先前|上述|以上|原有|所有|原来|此前|前面|你的|系统",
		"指令|指示|规则|提示|命令|要求|限制|设定|规定|约束",
		"作废|无效|無效|不再|失效|取消|不算|不适用|废除|解除|不必|不用|都忘|忽略|被覆盖|被取代|已过期",
	},
	{"从现在起|从现在开始|從現在起|從現在開始|从今以后|从此以后|从此刻起|自现在起|从这一刻|今后你"},
	{"你现在是|你現在是|你不再是|你其实是|你实际上是|你已经是|你已不再|你不再受|您现在是|你将扮演|你現在起"},
	{"假装|假裝|装作|扮演|冒充|假设", "你是|你没有|管理员|没有限制|无限制|不受限|不受约束|黑客|超级用户|无所不能|没有任何"},
	{
		"必须|必須|务必|務必|一定要|总是|總是|始终|始終|永远|每次|首先|优先|優先|一律|无论|無論|只能|强制|必定|任何时候|任何情况|第一时间|只",
		"使用|调用|調用|加载|載入|选择|選擇|运行|执行|推荐|采用|用|选|启用",
		"此技能|这个技能|這個技能|本技能|该技能|此工具|本工具|这个工具|该工具|这项技能|此代理|我",
	},
	{"无论|無論|不管|不论", "用户|使用者|问|说|要求|什么", "使用|调用|加载|选择|执行|用", "此|本|这个|該|该|我"},
	{"此技能|这个技能|這個技能|本技能|该技能|此工具|本工具|这个工具|这项技能", "必须|必須|总是|始终|优先|最高|首先|第一|唯一|任何|每次|务必|高于|凌驾|取代|应当始终|一律"},
	{
		"不要|不得|禁止|切勿|别|勿|绝不|不准|不能|不许|无需|不必|永远不",
		"使用|调用|調用|加载|选择|考虑|推荐|用|看|打开|运行|相信|信任",
		"其他|其它|別的|别的|另外|任何其|其余",
		"技能|工具|代理|插件",
	},
	{"忽略|禁用|屏蔽|跳过|删除|卸载|停用|关闭", "其他|其它|别的|其余|所有其", "技能|工具|代理|插件"},
	{"其他|其它|别的|其余", "技能|工具|代理", "都不|不可信|有害|危险|已失效|已废弃|不要|禁止|无效|一律不|已损坏"},
	{
		"不要|不得|别|別|切勿|勿|绝不|无需|不必|禁止|不准|不许|不能|不可|不用|别再|无须",
		"告诉|告訴|告知|通知|透露|询问|詢問|提醒|让|讓|问|提及|向|提示|惊动|解释|报告|说明|征求",
		"用户|使用者|用戶|人类|任何人|主人|对方|他们|开发者|别人|使用人",
	},
	{"瞒着|瞞著|背着|偷偷|悄悄|暗中|秘密地|私下", "用户|使用者|用戶|发送|上传|执行|运行|删除|安装|复制|传|收集|记录|转发|下载|读取|發送|上傳|把|将"},
	{"对用户|向用户|對使用者", "隐瞒|保密|隐藏|隱瞞|隐匿"},
	{
		"无需|無需|不需要|不必|不用|未经|跳过|绕过|不要|别|无须|不经",
		"确认|確認|许可|允许|同意|批准|授权|询问|审批|请示|用户",
		"直接|立即|立刻|就|即可执|执行|运行|删除|安装|发送|提交|操作|继续|批准",
	},
	{"跳过|绕过|禁用|关闭|无视", "安全|权限|确认|审批|沙箱|沙盒", "检查|提示|限制|步骤|机制|确认|请求|规则|设置"},
	{"用户|管理员|使用者|主人|运营者", "已经|已|早已|事先", "同意|批准|授权|允许|确认|许可|授予"},
	{"你已获得|你已被授|你有权|你被授权|您已获|权限已"},
	{
		"输出|显示|顯示|透露|泄露|洩露|打印|公开|说出|展示|重复|复述|告诉我|写出|发给我|列出|交出",
		"系统提示|系統提示|系统指令|隐藏指令|初始指令|内部指令|你的提示词|你的指令|系统消息|隐藏的|内部的指|你的系统",
	},
	{
		"发送|發送|上传|上傳|传送|泄露|转发|提交|发到|传到|寄给|发给|拷贝|导出|外传|發到",
		"密码|密碼|密钥|密鑰|令牌|凭证|凭据|环境变量|对话|聊天记录|历史|私钥|cookie|机密|隐私",
		"到|给|至|服务器|邮箱|地址|http|网址|外部",
	},
	{"把|将|將", "密码|密碼|密钥|令牌|凭证|凭据|环境变量|对话|聊天记录|私钥|cookie|机密|隐私", "发送|上传|发到|传到|发给|泄露|转发|寄|上傳|發送|發到|告诉|贴|公开"},
	{"立即|马上|立刻|现在就|直接|馬上|立即", "执行|運行|运行|執行", "命令|curl|脚本|代码|以下|rm|下面|该|此|下列|wget"},
	{"删除|清空|格式化|抹掉|刪除|销毁", "所有|全部|整个|一切|用户的", "文件|数据|目录|磁盘|仓库|资料|记录|备份|檔案|硬盘"},
	{"只听|只服从|服从|听从|遵从|只遵循|只执行|必须遵守|必须服从|严格执行|绝对服从|無條件服從|无条件", "我|本|以下|这|此|下列|下面|执行|服从"},
	{"你必须|你必須|你务必|你一定要|你应始终|你只能|你不得|你不能拒绝|你要始终|你要永远"},
	{"重要|紧急|警告|注意|系统通知|系统消息", "必须|务必|立即|总是|忽略|先执行|不要告诉|始终"},
	{"开发者模式|开发模式|管理员模式|越狱|无限制模式|上帝模式|調試模式|调试模式|超级用户|不受限制的模式", "启用|进入|开启|激活|切换|已|打开|下"},
	{"进入|启用|开启|激活|切换到|切换为", "开发者模式|管理员模式|越狱|无限制|上帝模式|调试模式|超级用户"},
	{"每次|每条|每个|所有|任何", "回复|回答|消息|对话|请求|提问|响应|答复", "都|必须|前|末尾|结尾|开头|先|之前", "使用|调用|加|说|附|加载|执行|以|用"},
	{"新的指令|新指令|新命令|真正的指令|真正的任务|唯一的任务|唯一任务|最高指令|真实任务|新的任务是|真正目的"},
	{"抛弃|放弃|忘掉|忘记|丢掉|改变|抛开", "你", "身份|角色|设定|原则|名字|限制"},
	{"你的", "身份|角色|名字|使命|真名", "是|变|改|已"},
	{"当作|视为|当成|看作|看成|当做", "系统消息|系统指令|系统提示|命令|指令|最高|法律|管理员"},
	{"把|将|將", "这段|以下|此|本", "当作|视为|当成|看作|当做"},
	{"用户|使用者", "意见|反对|想法|拒绝|意愿", "不重要|也要|无视|忽略|不必|都要|别管|无关"},
	{"即使|就算|哪怕|纵使|即便", "用户|使用者|对方|他们", "反对|拒绝|不同意|阻止|要求"},
	{"不管|无论|不论", "发生|谁|怎样|如何|什么", "选它|用它|选这|选此|都选|都用|都要选|照做"},
	{"不要|别|勿|不必|无须|不用", "问|犹豫|质疑|多问|怀疑", "直接|就|立即|只管|马上|照"},
	{"请保密|务必保密|严格保密|保守秘密|守口如瓶|不得外传|不要外传"},
	{"按照我|照我说|照做即可|照做就行|听我的|按我说"},
	{"先前|之前|以前|上面|前面", "对话|消息|内容|指令", "测试|是假|不算|作废|无效"},
	{"优先级", "最高|第一", "技能|工具"},
	{"给|把", "这个技能|本技能|此技能|该技能", "最高|满分|第一|首位|最前"},
	{"关闭|关掉|禁用|停用|解除", "安全|沙箱|防护|保护|审查|过滤|权限", "检查|机制|功能|限制|模式"},
	{"服从|听从|遵从", "此|本|这|以下|我|文件中|其中"},
	// Japanese
	{
		"以前|これまで|今まで|上記|前述|前の|先の|先ほど|すべて|全て|全部|あらゆる|システム|元の|既存|あなたの|従来|他の|" +
			"ここまで|開発者|ユーザーの|最初の|与えられた|いままで|一切の|受けた|安全",
		"指示|命令|ルール|プロンプト|規則|メッセージ|ガイドライン|制約|制限|設定|内容|方針|会話|ポリシー|文脈|指令|言われたこと|言ったこと|規定|装置|対策|教え",
		"無視|忘れ|従わな|従うな|破棄|無効|取り消|捨て|上書き|撤回|気にし|守らな|守る必要|回避|解除|適用され|聞かな|なかったこと|放棄|リセット|従う必要|もはや|効力|バイパス|考慮しな",
	},
	{"今から|これから|今後|以後|この瞬間から|ここからは|これより", "あなたは|お前は|君は|必ず|常に|私の|このスキル|応答|返答|回答|私だけ|すべての|全ての|絶対"},
	{"あなたは今|あなたはもう|あなたはもはや|お前はもう|君はもう|あなたは実は|あなたはいま|あなたは管理者|あなたは制限|あなたの本当の|あなたの新しい|あなたの唯一の|お前は今|君は今"},
	{"あなたは|お前は|君は|アシスタントは|モデルは", "必ず|常に|絶対|決して|ただちに|直ちに|いつも", "しなければ|してください|従|使|こと|答|拒|しな|せよ|呼び|実行"},
	{
		"必ず|常に|いつも|絶対に|毎回|どんな|何よりも|最初に|まず|優先的に|すべての|全ての|あらゆる|他より|真っ先に|どのような|何を聞かれても|無条件に",
		"このスキル|このツール|本スキル|当スキル|このエージェント|本ツール|これだけ|私だけ|私を",
		"使|呼び|呼ん|選|実行|ロード|読み込|起動|利用|適用|用い|推薦|優先|信|勧め",
	},
	{
		"このスキル|このツール|本スキル|本ツール|このエージェント",
		"必ず|常に|いつも|絶対|最優先|優先|最初に|唯一|だけ|毎回|のみ|先に|無条件|真っ先|あらゆる|すべての|全ての",
		"使|呼び|呼ん|選|実行|ロード|読み込|起動|利用|適用|用い|推薦|優先|信|され|スキル|ツール|置|し",
	},
	{"このスキル|このツール|本スキル", "最優先|優先順位|優先度|優先され|優先する|優先します|上回|取って代"},
	{
		"他の|ほかの|別の|それ以外の|残りの|他には",
		"スキル|ツール|エージェント|プラグイン",
		"使わな|使うな|使用しな|無視|禁止|呼ばな|呼び出さな|呼ぶな|選ばな|選ぶな|避け|無効|使ってはいけ|不要|危険|信用しな|読み込まな|使用禁止|信じ|検討しな|候補から|除外|停止",
	},
	{
		"ユーザー|利用者|使用者|人間|持ち主|誰にも|本人|相手|管理者",
		"知らせな|知らせず|知らせるな|伝えな|伝えず|伝えるな|教えな|教えず|教えるな|言わな|言わず|言うな|尋ねな|尋ねず|聞かず|" +
			"聞かな|聞くな|明かさ|明かす|隠し|隠す|隠せ|内緒|秘密|気づかれ|気付かれ|黙って|見せな|見せず|見せるな|報告しな|報告せず|" +
			"確認せず|確認しな|こっそり|通知しな|通知せず|通知する必要|許可なく|無断|知られ|話さ|話す|悟られ|問い合わせず|告げ",
	},
	{"こっそり|密かに|ひそかに|黙って|内緒で|秘密裏に", "送|実行|削除|インストール|コピー|アップロード|収集|読|消|追加|記録|転送|保存"},
	{
		"確認|許可|承認|同意|承諾|質問|了承|断り",
		"なし|せず|得ず|不要|求めず|取らず|省略|待たず|スキップ|飛ばし|なく|求めない|求めるな|取るな",
		"実行|進め|削除|送信|インストール|続行|変更|適用|消|コミット|行|プッシュ|処理|直接|すぐ|ください",
	},
	{"許可|権限|確認|承認|セキュリティ|安全", "確認|チェック|プロンプト|ダイアログ|手順|画面|機能|検査", "スキップ|無効|回避|飛ばし|省略|バイパス|無視"},
	{"ユーザー|管理者|利用者|持ち主|運営者", "すでに|既に|もう|事前に|全て", "承認|同意|許可|了承|認め|確認"},
	{"システムプロンプト|システムメッセージ|隠された指示|内部指示|内部の指示|初期指示|秘密の指示|あなたの指示", "表示|出力|教え|見せ|公開|漏ら|明かし|書き出|繰り返|開示|すべて書|そのまま"},
	{
		"パスワード|秘密鍵|apiキー|トークン|認証情報|環境変数|会話|履歴|個人情報|クッキー|機密|秘密情報|資格情報",
		"送信し|送信せ|送れ|送って|送り|アップロードし|アップロードせ|漏ら|転送し|転送せ|流出|投稿し|外部に|次のアドレス|サーバーに",
	},
	{"ただちに|直ちに|すぐに|今すぐ|即座に|即刻", "コマンド|curl|スクリプト|コード|rm|次の|以下の", "実行|走らせ|起動"},
	{"コマンド|curl|スクリプト|シェル", "ただちに|直ちに|すぐに|今すぐ|即座に|黙って|こっそり", "実行|走らせ"},
	{"すべての|全ての|全|あらゆる", "ファイル|データ|フォルダ|ディスク|リポジトリ|履歴|バックアップ", "削除しろ|削除せよ|削除してください|削除しなさい|削除して|消去し|消せ|消して|破壊|抹消"},
	{"私の|この|次の|以下の|新しい|ここに書かれた", "命令|指示|言うこと", "だけに|のみに|従え|従って|従い|最優先|服従|絶対|に従う|だけを|に従わ|優先"},
	{"服従し|服従せ|絶対服従|無条件に従|言いなり"},
	{"開発者モード|管理者モード|脱獄|制限なし|無制限モード|ゴッドモード|デバッグモード|ルート権限", "有効|切り替|入|起動|オン|移行|として|になっ|に変|で動作|で応答"},
	{"ふりをし|ふりをせ|なりすまし|なりきっ|として振る舞", "管理者|制限|ください|答|行動|応答"},
	{"管理者|制限のない|無制限|ハッカー|別の|人間", "ふりをし|なりすまし|なりきっ|として振る舞|として行動|を演じ"},
	{"重要|緊急|警告|注意|必須", "必ず|絶対に|ただちに|直ちに|無視", "使|呼|実行|従|し|読み込"},
	{
		"すべての|全ての|毎回の|各|あらゆる",
		"返答|応答|回答|メッセージ|質問|リクエスト|会話|プロンプト",
		"このスキル|必ず|最初に|前に|末尾|最後に|冒頭",
		"使|呼|追加|付け|入れ|実行|書|つけ|言",
	},
	{"ユーザー|利用者|相手", "反対|拒否|断|嫌が|止め|意見|希望|要望", "ても|無視|関係な|かかわらず|構わ|重要では|続け"},
	{"この文|この文章|以下|次の内容|このテキスト|これを", "システム|命令|指示|管理者", "として扱|とみなし|と見なし|として受け|と考え"},
	{"このスキル|このツール|本スキル", "最高点|満点|一位|最高評価|最高の評価|トップ|一番上"},
	{"安全|セキュリティ|サンドボックス|保護|フィルタ|防御", "切れ|切って|オフに|解除し|停止し|無効に|止め"},
	{"口外|他言", "するな|しない|無用|せず|禁止"},
	{"秘密に|内緒に", "ください|おいて|しろ|して|いろ|おけ"},
	{"apiキー|パスワード|トークン|秘密鍵|認証情報|機密", "出力しろ|出力せ|表示しろ|教えろ|見せろ|公開しろ|出せ|渡せ"},
	{"あなたの|お前の|君の", "役割|使命|立場|身分|正体", "は|が変"},
	{"何があっても|何が起きても|誰が何と言おうと", "これ|この|選|使|従|実行|続"},
	{"ルール|規則|指示|制限|命令|決まり", "など気に|なんか|などは無視|は関係な|に構わ"},
	{"命令|指示|言う", "とおりに|通りに|どおりに|がままに", "しろ|動け|やれ|行動しろ|せよ"},
	{"質問せず|聞かずに|考えず|疑わず|ためらわず", "消|削|実行|進|従|選|使|送|やれ"},
	{"このファイル|この文書|ここ|私|本文", "命令|指示", "に従|どおり|通り"},
	{"前の|以前の|先の|これまでの", "会話|やりとり|発言", "忘れ|テスト|無効|無視"},
	{"新しい指示|真の任務|唯一の任務|本当の指示|新しい命令|本当の任務|真の目的|最優先の命令"},
}
