"""
Words for the same thing, as people who ask and people who describe use them.

Whoever asks for "plane tickets" finds the skill about flights.  The groups are general knowledge of
English, and of the names that agent skills have in some other languages; they were written down
before any ranking was measured with them.  A synonym counts at a discount (`SearchSettings`), so a
skill that says the word itself comes first.  Words of several senses stand in several groups.

Groups are parted by commas; every word of a group stands for every other.
"""

from __future__ import annotations

_GROUPS = """
slides slide presentation deck ppt pptx powerpoint 演示 幻灯片 プレゼン, spreadsheet excel xls xlsx sheet
表格, javascript js, typescript ts, python py, postgres postgresql, database db 数据库 データベース,
repository repo, image picture photo 图片 画像, video movie clip 视频 動画, audio sound, chart plot graph
diagram 图表, email mail 邮件 メール, test testing 测试 テスト, create generate 生成, translate translation
翻译 翻訳, container docker, ci pipeline, subtitle caption, cv resume, slides slide presentation deck ppt
pptx powerpoint keynote, kubernetes k8s kubectl, configuration config settings, documentation docs doc,
image picture photo photograph pic, video movie clip film, movie film cinema, song music track, music melody
tune, chart plot graph diagram visualization, email mail inbox, message sms text chat, invoice bill receipt,
error bug fault failure exception, test testing qa, delete remove erase, create generate make build produce,
summary summarize recap digest, translate translation language, website webpage site web, auth
authentication login signin, weather forecast temperature climate, rain precipitation, stock share equity,
stock ticker, market exchange, crypto cryptocurrency bitcoin coin, currency forex exchange, money cash fund,
price cost pricing fee, cheap discount deal bargain coupon, buy purchase shop order, shop store shopping,
product item goods, flight airline plane airfare, airport flight, hotel accommodation lodging stay, hotel
room, travel trip journey vacation tour itinerary, tour sightseeing attraction, car vehicle auto automobile,
taxi cab ride uber, train rail railway, bus transit transport, map navigation direction route, location
place address, near nearby local around, restaurant dining eatery, food meal dish cuisine, recipe cook
cooking ingredient, diet nutrition calorie, drink beverage cocktail, exercise workout fitness gym training,
health medical healthcare, doctor physician, disease illness condition, medicine drug medication, symptom
diagnosis, job career employment vacancy position, hire recruit recruitment, salary wage pay, company
business firm corporation, house home property apartment, rent rental lease, estate property, news headline
article, article post blog, story tale, author writer, poem poetry verse, joke humor funny, quote quotation
saying, word vocabulary dictionary, meaning definition define, grammar proofread spelling, rewrite
paraphrase rephrase, write draft compose, letter mail, essay paper, university college school, student pupil
learner, teacher tutor instructor, course class lesson tutorial, learn study education learning, exam test
quiz, question ask answer, homework assignment, math mathematics calculation, calculate compute calculator,
equation formula, statistics stats, data dataset, analysis analyze analytics insight, report summary,
predict prediction forecast, compare comparison versus, lookup fetch retrieve get, show display view, list
enumerate, update modify edit change, add insert append, send deliver, upload import, download export save,
copy duplicate clone, merge combine join, split divide separate, convert transform conversion, format
formatting layout, compress zip archive, sort order rank, filter select, schedule calendar appointment,
meeting appointment, calendar date event, event concert show, ticket booking reservation, book reserve
booking, reminder alert notification, notify alert, task todo, plan planning planner, project program, team
group, customer client, password credential secret, security secure vulnerability, encrypt encryption,
attack threat exploit, malware virus, privacy personal, log logging logs, monitor monitoring observability,
metric measurement, performance speed latency, slow performance, fast quick speed, deploy deployment release
ship, release version, server host, network networking, internet web online, url link, browser chrome,
scrape crawl scraping crawler, html webpage, frontend ui, ui interface, design designer, logo brand
branding, color colour palette, font typography, icon logo, art artwork painting, draw sketch,
animation animate, game gaming play, player team, sport sports, football soccer, score result, match game,
league tournament, podcast episode, radio station, tv television show, stream streaming, voice speech,
transcribe transcription transcript, speak talk, audio voice, phone mobile, app application software,
android mobile, iphone ios, device hardware, code coding programming, function method, script program, debug
debugging troubleshoot, fix repair resolve, refactor cleanup, review audit, commit git, branch git, issue
ticket bug, pr pull, api endpoint, webhook callback, library package dependency, install setup, upgrade
update migration, migrate migration, schema model, cache caching, train training, model ml, prompt
instruction, agent bot assistant, chatbot bot chat, legal law lawyer, contract agreement, law regulation
compliance, tax taxes, accounting bookkeeping, finance financial, budget expense spending, bank banking,
loan mortgage credit, invest investment investing, portfolio investment, insurance policy, payment pay,
donation charity, government public, population demographic, country nation, city town, state region,
timezone time, history historical past, holiday vacation, age birth, people person, family relative, child
kid children, baby infant, animal wildlife, plant garden gardening, nature environment, horoscope zodiac
astrology, religion bible, gene genetic genome dna, protein molecule, chemistry chemical compound, physics
simulation, biology biological, clinical trial, research study, paper article publication, citation
reference bibliography, experiment trial, survey questionnaire poll, form questionnaire, feedback review
rating, rating score, opinion sentiment, advertisement ad ads advertising, marketing campaign, seo ranking
keyword, keyword tag, social media, tweet twitter, hashtag tag, influencer creator, gift present, beauty
makeup cosmetic, wedding marriage, dating relationship, barcode qr, scan ocr, signature sign, print
printing, folder directory, distance length, weight mass, size dimension, 3d cad, earthquake disaster,
emergency rescue, fish fishing, farm agriculture crop, factory manufacturing, supply logistics, shipping
delivery shipment, package parcel, tracking track, warehouse inventory stock, crm customer, sales selling,
lead prospect, pitch proposal, brainstorm idea ideation, strategy plan, goal objective, mind psychology,
meditation mindfulness, sleep rest, habit routine, advice recommendation suggestion recommend, recommend
suggest, explain explanation, example sample, template boilerplate, checklist list, diagram flowchart,
mermaid diagram, markdown md, latex tex, regex pattern, cron schedule, environment env, terraform
infrastructure, iac infrastructure, gpu cuda, llm ai, ai intelligence, embedding vector, rag retrieval,
document doc docx paper 文档, clothes clothing fashion outfit, pet animal, time clock, book novel, space
astronomy planet, power electricity, sea ocean marine, search find lookup, document pdf,
accessibility a11y, localization l10n, internationalization i18n, .net dotnet, disc disk, adapter adaptor,
write wrote written, build built, send sent, buy bought, sell sold, teach taught, draw drew drawn, speak spoke
spoken, break broke broken, choose chose chosen, hide hidden, leaf leaves, quiz quizzes, vertex vertices
"""

SYNONYMS: tuple[tuple[str, ...], ...] = tuple(tuple(group.split()) for group in _GROUPS.split(","))
"""Groups of words for one thing."""
