"""
How common words are in skills at large, so that a small catalog need not guess it.

Of twenty skills three may hold "invoice" and three "example", and only one of the two says something.
So every catalog is counted as if so many more skills (`SearchSettings.background`) stood beside
it, in which words are as common as in thousands of real ones; in a large catalog they do not matter.

Made by `benchmarks/background.py` from 12,556 skills: stems by the per cent of skills that hold them.
"""

from __future__ import annotations

_TABLE = """
94: and for to use
90: with
88: a in or the
84: when
78: from is
76: on
74: of
72: if not
70: this
66: by
64: requir skill
62: are check name no s
60: as it output that user
58: all exampl need
56: data onli type
54: befor creat do pattern run
52: at file key refer set
50: an api base be get specif you
48: code format list one provid t
46: bash build first includ start test time what work
44: add any can default each http new read step tool
42: error input json md valid without your
40: chang document full generat id path structur valu workflow
38: after ask e handl import into option per request result return script up verifi write
36: best com common context exist i instal open sourc support via x
34: access action alway call configur content current everi find g how manag match must process product
 report state target where
32: complet custom detail direct has have high implement level limit note practic respons rule see show
 singl status system text then true updat version
30: across applic but command core depend descript differ doe fail featur follow function identifi integr
 load log miss model never over perform project python qualiti quick recommend review should than these vs
28: activ analysis app appli avail case control design don environ execut fix keep like line make map
 multipl number oper other produc re real relat same select setup standard them they trigger which
26: actual config confirm contain count date develop explicit flag framework instead issu local mode more
 most my n next out pass plan point post queri search secur servic share size so task templat url usag
24: against agent block cover d decis detect doc enabl end expect help messag method multi non order
 overview rate resourc summari tabl through want why
22: about ai author auto avoid b between both c clear connect correct critic defin export failur fals field
 filter guid instruct its just link low max object prefer py question scope server string their token
20: alreadi analyz anti automat databas deploy directori domain etc event exact extract f flow git github
 group inform item larg m main may optim packag page platform present prompt save separ skip success top
 track two web will
18: ad approach architectur auth autom back capabl caus checklist class cli client complex compon cross
 email engin extern focus found header imag improv index initi interact label languag last librari live long
 look manual metric monitor network node o off own p paramet posit public purpos r record relev remov risk
 rout section session store strategi style team titl total under variabl was wrong y
16: accept account allow answer assess audit authent basic behavior bodi break built choos clean compar
 comput concept condit consist copi cost day delet dev effect endpoint ensur fast final go goal good guidanc
 guidelin here intern js known locat logic mani mean memori modul move none now pars pipelin pre prerequisit
 prevent primari print profil rather reason replac right role root say scale score second stop too
 understand view window within
14: addit address also altern appropri artifact batch becaus below cach cannot captur categori close collect
 combin commit compat comprehens constraint convers credenti definit dure edg edit els entri env evalu fetch
 form free gap host hub ignor info job learn length let markdown matter me min null onc organ origin polici
 problem rang raw readi reduc resolv safe sampl schema self send sensit short signal small solut stack stage
 still tag take term there three treat ui verif visual whether while who zero
12: abov adapt advanc align appear assum async attribut better boundari business chain ci claud cloud column
 comparison consid const convert coverag criteria db debug decid deep describ determin distribut doesn done
 drop empti even everyth evid explain frame general give h head hour html human ident immedi impact indic
 interfac invalid io know latest layer loop maintain measur medium metadata minim minut modifi nativ normal
 observ org os past permiss person phase pick pip power principl prioriti progress proper releas render
 repeat research rest retri row runtim scan scenario schedul secret sequenc side sign silent simpl space
 specifi split storag suggest surfac threshold tree troubleshoot trust try typescript unit unless until wait
 warn we week would yes z
10: anyth apis append approv area argument asset assign await background bad balanc brief browser calcul
 catch cd choic claim color communic complianc confid continu contract convent creation dashboard def dir
 disabl discoveri display down download draft driven element enforc entir establish estim except experi
 expert expos express fill fit forc gate generic global googl hand happen hard histori ids independ infer
 infrastructur inject insid inspect iter k keyword knowledg later layout lead least leav login lower mark
 market mechan meet mention merg migrat minimum mix modern month navig npm often outcom pair parallel part
 password period persist phrase place plain plus possibl prepar preserv price properti protect protocol
 publish pull push reach recent region repo repositori resolut safeti sentenc sever shape signatur site some
 someth sort spec sql src stay switch technic tell thing timeout timestamp topic transform ts turn txt typic
 uniqu util v v1 var visibl way weight well word written yaml
8: adjust admin affect aggreg alert alon analyt annot anoth array assumpt attack attempt backend baselin
 becom bind branch budget bug bundl carri channel charact chat click cluster come comment compani compil
 concret consol consum coordin could csv curl dataset depth deriv devic did discov distinct drive duplic
 durat dynam earli echo effici encod enough escal exceed exclud exit extend extens face fallback faster
 feedback fine forward futur gather graph health higher hit hook incid increas individu init inlin insight
 instanc intent interpret investig invok ip isol itself java javascript join l launch left len lifecycl
 machin major materi matrix mcp mismatch natur net noth offer offici old outsid overrid owner param partial
 peopl plugin port precis predict previous priorit privat procedur proceed program put python3 q random rank
 react readabl receiv red ref regist reject relationship reliabl remain remot restrict retriev screen semant
 serv sh shell ship signific similar slow special speed stabl stat statement static statist stream strict
 strong sub symptom sync syntax techniqu termin those throw tier trace train tune u unknown upload us v2
 variant volum w watch were whole win workspac www year yet
6: accuraci act age al algorithm amount arg around assert assist attach audienc averag awar aws been
 benchmark benefit beyond bias bin binari bio bound box broken builder button candid canon cap card care cat
 cell center cite clarifi classif classifi co codebas communiti compos composit concern concurr conflict
 consider construct contact continuous correl cpu cut cycl daili de declar delay deliv deliveri diff dimens
 docker doubl downstream dump easi either embed emit en encrypt engag enter enterpris entiti enumer equal
 equival et expens expir explan explor extra fact factor fall famili feed feel few filenam folder font four
 frequenc fresh friend frontend fulli genuin given grace grep guess handler hardcod hash heavi height helper
 hide highest hold home honest insert int interv invent involv isn j lab land latenc legaci legal less
 licens linux ll llm localhost lock longer lookup lose loss mac made mandatori master maximum media meta
 methodolog mistak mobil much near negat nest nois notif npx ok omit opportun ops orchestr otherwis our
 overlap paper parent parti patch payload payment pdf pin pitfal placehold png pool postgr potenti pr prefix
 preview prior privileg profession programmat promis propos proxi pure quot rais ratio rational reader
 recoveri refresh regress regular reli rememb reproduc res reset respect respond reus reveal revers round
 sdk segment shift sinc social softwar solv someon stale str studi subject submit such suit sum summar
 suppli systemat theme think third thread timelin tip today togeth touch trade traffic transact transfer
 transit trend truth unauthor upgrad usual vagu vari vector veri video violat vulner weak wide width world
 worth wrap
4: absent absolut abstract accur achiev acknowledg adopt advic again agre alloc alongsid am ambiguous
 analyst anchor anim announc archiv aren arriv articl ascii assembl associ attent attributeerror awareness
 azur backup bar bare bear bearer beat begin behind belong big bill biolog blind blog blue boolean bot
 bottom brand breakdown bridg broad bucket buffer bulk bullet buy bypass byte calendar calibr callback
 caller cancel capac catalog categor central certif challeng char chart checkout checkpoint child chosen
 chunk citat clariti classic clawdbot cleanup clinic clone cmd col collabor collaps compet competit
 completeness compound compress compromis concis conclus conduct confus consolid constant consult contrast
 contribut counter crash credit css curat dark datetim dd deadlin decod dedic defens defer degrad deleg
 deliber deliver demand demo demonstr deni deprec desktop destin determinist df diagnos diagnost diagram
 dict didn differenti digit disagre disciplin discuss disk dispatch distanc distinguish div dns domin draw
 drift driver due ecosystem editor effort emerg encount english enhanc enrich enum escap especi essenti eval
 excel exclus exec expand experiment expertis exploit exposur fabric far fewer fi figur financi finish fire
 five flat flexibl float fold forget formal formula foundat fragment frequent front further gain gateway gb
 gen gene genom goe govern gpt gpu grade grant green grid ground grow growth guarante guard guardrail half
 handoff hardwar headlin hello hidden hierarchi highlight hint histor hybrid hypothesis icon idea ideal
 identif importerror incomplet inconsist increment industri inflat inherit instant insuffici integ intellig
 intend interest introduc introspect inventori invoc iso journal jq judgment justifi jwt kill kind kit
 kubernet lack lambda larger leak legitim letter leverag lib light linear lint listen lost ls maco mainten
 manifest manipul margin marker mask math mb meaning member microsoft mid middlewar might minor mitig mkdir
 ml mm mock moder modif moment money ms mutat namespac narrat narrow nat necessari negoti neutral notic
 notifi num numer numpi oauth obvious occur offlin offset older onboard openai opt orient overal overhead
 ownership pad pagin paid panda panel paragraph paus pay peer pend percentag perfect phone physic play
 playbook plot poll poor popul postgresql privaci pro proactiv probabl probe promot proof prop prove proven
 quantit quantiti quarter queue quiet radius rare readiness readm realist recov recur redirect reduct
 refactor referenc refin reflect refus regardless registr registri regul regulatori remedi remind renam
 repli replic repres req reserv restart restor resum retent reusabl revenu revis rewrit rich robust roll
 rollback room rotat rough router s3 saa sale sandbox sanit scaffold scalabl scratch screenshot secondari
 seed senior sent seq sequenti seri serial shown simul sit situat slack sleep slide smaller smart snapshot
 snippet socket soft span spend spot stabil stakehold stand standalon startup stori strateg strength strip
 studio submiss subscript substitut succeed suffici surpris surviv suspect swap symbol tab tail talk
 taxonomi tech technolog thin threat throughput ticket tie tmp todo toler tone toolkit toward trail
 transcript translat transpar trap tri triag trivial truncat tsx typeerror unavail unclear unexpect unifi
 univers unrel upstream usernam uuid v3 v4 variat ve vendor verbatim verbos verdict virtual voic walk wast
 webhook websit whenev white whose wire won worker workload wrapper xml yield yml yourself yyyi zone
2: 00z 0x 100k 10k 10m 10x 1e 1h 1m 1s 24h 2d 2f 2x 30s 3d 3x 4o 5m 5s 5x a1 aa ab abandon abbrevi abc
 abc123 abil abl abort abs absenc absorb abund abus ac academ acceler accent accident accomplish accord
 accumul acid acm acquir acquisit actor addr adequ adher adjac administr ads advantag adversari advisori
 agenc agenda aggress agnost ago agreement ahead aim air alarm alia alias alic aliv allel allowlist almost
 along alpha alt alter amazon ambigu among amplifi analys android angl annual anomali anonymous anthrop
 anticip anyon anyway anywher apach apikey appar appendix appl approxim apt ar arbitrari arc architect
 arithmet arm arn arr arrang arrow art arxiv askuserquest aspect assay assur asynchronous atom att audio
 auditor augment authorit autonomous avatar avg away awk axe axis b2 b2b backgroundcolor backlog backoff
 backward badg bake bam band bandwidth bank banner base64 basedir basis bayesian bbox beauti bed behav
 behaviour believ beta bg bi bidirect biggest bioinformat biol bit black blame blank blast blob blocker blur
 board bob boilerpl bold book bool boost boot bootstrap border bottleneck bp bracket brain brainstorm breach
 breaker breakpoint brew bring broadcast broader brows brute bump bun burden buri burn busi buyer c2 ca
 cadenc calm came camera campaign canari cancer canva capit caption cargo cart cascad cash cast casual
 caught causal caution caveat cc cdn ceil cert certain ch changelog characterist charg chase cheap cheaper
 checkbox checker chemistri children chip chmod chrome chromosom churn cicd circl circuit circular cis citi
 ck clarif classnam claus claw clawd cleaner clip clock closur cloudflar cloudwatch cn codex coeffici coher
 cohort cold collis comfort comma commerc commerci commun comp compact companion compel compens competitor
 complaint complement complementari compliant con concaten concentr conceptu conclud conf confer confidenti
 conflat conform confound connector consecut consensus consent consequ conserv constrain constructor
 consumpt container contamin contextu contradict contributor conveni converg cooki copilot cor corner corp
 corpor correctness correspond corrupt countri coupl cours covari cp craft createdat createus creativ
 creator credibl criterion critiqu crm cron crowd crud crypto cryptograph cs csrf cta ctrl ctx cuda cultur
 cumul currenc cursor curv cutoff cv cve d1 da daemon damag danger dangerous dash datafram dc dead deal
 debian debt debugg decay decim deck declin decompos decomposit decor decreas dedup dedupl deeper deepli
 defect defend degre del delta dens densiti dep depart desc descend desir despit destroy destruct detector
 deviat devop devtool di diagnosis dialog dictionari die difficult difficulti digest dim dimension disagr
 disappear discard disclaim disclos disclosur disconnect discord discount discret discrimin diseas dismiss
 disrupt dist dive diverg divers divid django dm dna dockerfil docx doi dollar dom dont door dot doubt
 downgrad downtim dr drag dramat drill dropdown drug dry ds dual durabl duti e2 e2e earlier earn eas easier
 east ec2 econom edr educ effectiveness el elast elasticsearch electron elev elif elig elimin elsewher em
 emb emot emphas emphasis empir employ employe encourag endtoend energi ensembl entrypoint eof epoch eq
 equip err es est ethic eu eventu ever everyon everywher evolut evolv ex examin excess exchang exe exercis
 exfiltr exhaust exp expans expiri exploratori exponenti ext extrem eye f1 fa facilit factori factual fair
 fake familiar fan faq fasta fastapi fastest fault favor fdr feasibl feat feder fee ffffff fidel filepath
 filesystem filler financ fingerprint firewal fixtur flash flatten flex flight flip floor fmt fn fontsiz
 fontweight footer footprint forbidden foreach forecast foreign forens forest forev fork former founder
 fraction fraud freez freshness friction friday frontmatt frozen frustrat fs fun func fund fundament funnel
 fuzzi game gc gcloud gcp gdpr gemini genet geo geograph geometri getus gh gitignor gitlab glob gold golden
 gone got gotcha gov gpus gr gradient gradual grain granular graphic graphql gray great groupbi grpc gt gui
 gz h1 h2 h3 habit had hallucin hang happi harden harder harm harness hasn haven headless healthcar healthi
 heartbeat heatmap held hero heurist hex hf hi hierarch hipaa hire histogram hoc honesti honor hope horizon
 horizont hostnam hot hous hover howev hr href hug huge huggingfac hundr hunt hurt hygien hyphen hypothes ia
 iam ide idempot idl idx ii illeg illustr im img immut imper impli implic implicit imposs impress inact
 inbound inbox inclus incom incompat incorpor incorrect indent indirect infinit influenc infra ingest inner
 innov ins insecur inspir institut instrument insur intact intel intens inter intercept intermedi internet
 interpol interrupt intersect intervent interview intro introduct intuit invari invers invert invest
 investor invis invit invoic ioc ios ips irrevers ja jan japanes jargon jest jira john joint journey jpeg
 jpg jsonl jsx judg jump jurisdict justif k8s kb kept kernel keyboard kotlin kpis kubectl la ladder lag
 landscap lang laptop largest late law lazi leadership leakag lean led legend lesson lever li liabil lie
 life lifetim lift lightweight likelihood lineag linkedin linter liquid lite liter literatur littl llama lm
 lo loader logger logist logo loos lot loud love lowercas lowest lr lxgic lxgicstudio ma macro magic
 magnitud mail maker malform malicious malwar manufactur marketplac markup mass massiv mathemat matplotlib
 matric matur maxim mc meaningless med median medic membership memo mental menu mere mermaid mesh met mfa mi
 micro microservic middl mileston million mind mine mini mirror mis misconfigur mislead mission misus mit
 mitr mo mod modal modular mol molecul molecular momentum monday mongo mongodb monorepo mood morn motion
 motiv mount mous movement mp4 mr msg multimod multipli mutabl mutual myapp mysql na naiv nano nav ne
 nearest neighbor neither neural newer newli news newslett nextj nginx nice nich night nist nn nobodi nodej
 noisi norm notabl novel np ns nt nucleic nvidia oauth2 obj oblig obtain occurr odd offic onclick ongo onlin
 onto oom op opac openapi openclaw opensourc opinion opposit optimist opus oracl organiz orm orphan orthogon
 outag outbound outdat outlier outlin outreach overflow overlay overload overwhelm overwrit owasp p0 p1 p2
 pace pack packagevers packet pager pain pairwis palett parameter paraphras park parser particip particular
 partit partner partnership passiv pathlib pathway patient paywal pci pd pe peak penalti pencil penetr
 percent percentil perf perman permit persona perspect pg philosophi phish photo php pi pictur pid piec pii
 pillar pilot ping pipe pitch pivot pixel pkg pl placement plane planner plausibl playwright pleas plos pm
 pnpm pod pointer polish polit pop popular portabl portal portfolio pos postur powershel pp prd preced
 precondit premium prep preprocess presenc preset press pressur pretrain primit princip prisma proc
 processor prod profit prometheus propag proport proposit prose prospect protein prototyp provis prs prune
 ps pt pub purchas purpl pwd px pydant pyproject pytest pytorch q1 q2 q3 q4 qa qc ql qualifi qualit quantif
 quantifi quota r1 r2 ra race rag ram ramp ran rapid rb rbac rds reachabl reaction reactiv readon realiti
 realli realtim rebuild recal receipt recip recipi recogn recognit recomput reconcil reconcili reconstruct
 rect recurr recurs redact redesign redis redund referr refram refund regener regex reinforc relax reload
 renew reorder rep repair repetit replay replica represent reput rerun resid residu resili resist resiz resp
 restat restructur retain rev revert revok reward rf rise riski rm rn rna roadmap robot roi rollout routin
 rpc rs rt rubric runbook runnabl runner rust sa said sam san saniti satisfact satisfi satur sc scanner
 scatter scene scheme sci scienc scientif scipi scrape scroll sd se seamless searchabl season sec sed seek
 seem seen selector sell sender sens sensibl sensor sentiment sentinel seo serious serverless settimeout
 settl sf sha sha256 shadow shallow sharp sheet shop shortcut shorter shot shrink shutdown si sibl sidebar
 siem sig signup silenc simpler simplest simpli simplic simplifi simultan sin six sk skeleton skew sl sla
 slash slice slight slot slower slug sm smallest smb smith smoke smooth soc sole solid solo sometim sonnet
 soon sound sp spam spare spars spatial spawn speak speaker speci specialist specul speech spell spent spike
 splunk spread spreadsheet spring sprint spurious sq sqlite squar ss sse ssh ssl sso ssr st stake stall star
 starter startswith stateless std stderr stdin stdlib stdout stock straight strand stress strike stringifi
 stripe stroke stronger strongest struct struggl stub stuck subag subdomain subnet subprocess subscrib
 subsequ subset substack substant substanti substr subtitl subtl subtract sudo suffix suitabl summaris super
 supersed supplement suppress sure surround survey suspicious sustain svg sweep swift synchron synchronous
 synthes synthesis synthet sys t10 tactic tailor tailwind taken tamper tap tar tax tcp tdd te teach telegram
 telemetri temp temperatur tempor temporari ten tenant tensor terminolog terraform testabl tester tf thank
 theft themselv theori therefor thorough though thought thousand throttl throughout thumb tight tighten
 timefram timer timezon tini tissu tls toggl told toml topolog torch tostr tr tracker tradeoff tradit trait
 trajectori transcrib transient transport travel travers treatment trial trim trip truli tsv ttl tube tui
 tunnel tupl tutori twice twitter tx typeof typo typographi ubuntu uk un unambiguous unbound uncertain
 uncertainti unchang undefin undo unfamiliar uniform union unlik unlimit unlock unnecessari unread unreli
 unresolv unsaf unstabl unsupport unsur untrust unus unusu unverifi upcom upfront upper ups urgenc urgent
 uri usabl usd useeffect userid usest usr utc utf uv ux v0 v5 val valuabl valueerror vanish varianc various
 vault veloc venv verb vercel versus vertic viabl vibe viewer viewport vision visit vital vite vm vocabulari
 void volatil vote vpc vpn vue walkthrough wall wallet warm warrant water wave weather websocket welcom went
 whatev whitelist whitespac whom widget wiki wildcard winner workaround workstat wors worst writer wrote ws
 xlsx xss xx xxx yellow youtub z0 zip zod zoom"""

SHARES: dict[str, float] = {
    stem: int(percent) / 100
    for percent, _, stems in (line.partition(":") for line in _TABLE.replace("\n ", " ").split("\n"))
    for stem in stems.split()
}
"""The share of skills that hold a stem, for stems that stand in one of fifty or more."""
