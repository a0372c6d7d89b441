"""
The words that search treats specially by default: those that say nothing, and those that say the same.

Both are small on purpose.  A long stop list loses skills that are named by common words; a long
synonym list guesses.  `SearchSettings` takes others.
"""

from __future__ import annotations

_STOP_WORDS = """
a about above after again all also am an and any anything are as at be because been before being below
between both but by can could did do does doing don't during each either etc few for from further get give
had has have having he help her here hers him his how i i'd i'll i'm i've if in into is isn't it it's its
itself just kindly let let's like make many may me might more most much must my myself need no nor not
now of off on once one only or other our ours out over own please same she should show so some something
such than thank thanks that the their theirs them themselves then there these they thing things this
those through to too under until up us use used user users uses using very via want wants was we were
what when where whether which while who whom why will with within without would yes you your yours
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""English function words, and the politeness of requests; words that are only common have a low idf."""

SYNONYMS: tuple[tuple[str, ...], ...] = (
    ("slides", "slide", "presentation", "deck", "ppt", "pptx", "powerpoint", "演示", "幻灯片", "プレゼン"),
    ("spreadsheet", "excel", "xls", "xlsx", "sheet", "表格"),
    ("document", "docx", "word", "文档"),
    ("kubernetes", "k8s"),
    ("javascript", "js"),
    ("typescript", "ts"),
    ("python", "py"),
    ("postgres", "postgresql"),
    ("database", "db", "数据库", "データベース"),
    ("repository", "repo"),
    ("configuration", "config"),
    ("documentation", "docs"),
    ("image", "picture", "photo", "图片", "画像"),
    ("video", "movie", "clip", "视频", "動画"),
    ("audio", "sound"),
    ("chart", "plot", "graph", "diagram", "图表"),
    ("email", "mail", "邮件", "メール"),
    ("invoice", "bill"),
    ("error", "bug", "fault"),
    ("test", "testing", "测试", "テスト"),
    ("delete", "remove"),
    ("create", "generate", "生成"),
    ("summary", "summarize", "recap"),
    ("translate", "translation", "翻译", "翻訳"),
    ("container", "docker"),
    ("website", "webpage", "site"),
    ("ci", "pipeline"),
    ("auth", "authentication", "login"),
    ("subtitle", "caption"),
    ("cv", "resume"),
)
"""Groups of words for one thing, from the vocabulary of agent skills."""
