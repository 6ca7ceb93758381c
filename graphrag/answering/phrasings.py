"""How people word each kind of question, as patterns over the whole question."""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_LEARN = (
    r"(?:learn|know|study|understand|master|grasp|read|review|revise|cover|tackle|pick up|"
    r"be familiar with|be comfortable with)(?:ing|ed)?"
)
_WHO = (
    r"(?:i|we|you|one|someone|somebody|anyone|people|(?:a |an absolute )?"
    r"(?:student|learner|beginner|newcomer|novice)s?)"
)
_MUST = r"(?:should|must|do|does|can|could|would|shall|has|have|am|are|is)"
# What one takes up when one learns it; a machine is taken apart, a log looked at.
_TAKE_UP = r"(?:get to grips with|get into|get a grip on|work on|take on|start on|make sense of)"
_UNIT = r"(?:thing|topic|concept|lesson|chapter|idea|subject|unit|skill)s?"
# What one does with an idea alone: a gauge can be read, a belt covered, a log reviewed.
_STUDY = r"(?:learn|study|understand|master|grasp|tackle)(?:ing|ed)?"
_SO = r"(?:so |and |then |but )?"
_NEEDED = r"\bwhat (?:is|are) .* (?:needed|necessary|a prerequisite) for\b\W*$"
_LATER = (
    rf"\bwhat (?:can|could|will) {_WHO} (?:do|use) .*\b(?:later|afterwards)\b"
    r"|\bwhere (?:is|are|will|do|does) .*\b(?:used?|needed|comes?|come) .*"
    r"\b(?:later|again|afterwards)\b|\bfor what (?:is|are) .* (?:needed|necessary)\b"
)
_SKIP = r"(?:skip|omit|leave out|do without)"
_SKIPPABLE = (
    rf"^\W*(?:can|could|may|should) {_WHO} {_SKIP}\b"
    r"|^\W*(?:is it|would it be|may i|can i) (?:\w+ ){0,3}(?:to )?"
    rf"(?:{_SKIP}\b|postpone\b|put off\b|leave .* (?:for later|aside|until later)\b)"
)
_MORE_BASIC = (
    r"\bwhich (?:one )?(?:is|comes) (?:the )?(?:more |most )?"
    r"(?:basic|fundamental|elementary|first|earlier)\b"
)
_NEED = r"(?:need|have|ought|must|should|required?|necessary|want)"
PREREQUISITE = _any(
    r"\bpre-?\s?requisites?\b|\bprereqs?\b",
    r"\bprior (?:knowledge|concepts?|topics?)\b"
    r"|\b(?:what|which) background (?:knowledge )?(?:do|does|is|for|should|must|would)\b"
    r"|\bbackground (?:knowledge )?(?:do|is|for|should)\b",
    rf"\b(?:what|which)\b.*\b{_WHO} (?:\w+ )?(?:supposed|expected|assumed) to"
    rf" (?:already )?{_LEARN}\b",
    rf"\b(?:what|which) .*\b(?:to )?have (?:already )?(?:understood|{_LEARN}|seen|met)\b"
    r".*\b(?:for|before|to)\b",
    r"\b(?:what|which)\b.*\b(?:under (?:my|our|your|one's) belt|sit (?:firm|tight|deep)(?:ly)?"
    r"|be (?:firm|secure|solid)(?:ly)?)\b.*\b(?:before|for|to)\b",
    r"\b(?:what|which)\b.*\b(?:brush up(?: on)?|revise|refresh|go over|catch up on)\b"
    r".*\b(?:for|before|to)\b",
    rf"\bbefore\b.*\bwhat {_MUST} {_WHO} (?:need to |have to )?(?:look at|{_LEARN})\b",
    rf"\b(?:what|which) {_UNIT} (?:\w+ )?(?:(?:come|go|stand|belong)s?\b.*\bbefore|precedes?)\b",
    r"\bstands? between (?:me|us) and\b",
    rf"\b(?:where|how) {_MUST} {_WHO} (?:best )?(?:start|begin|get started|get going)\b.*"
    r"\b(?:for|to|towards?|with|if)\b",
    rf"\b(?:want|need|hope|plan|wish|like) to {_TAKE_UP}\b.*\b(?:what|where|how)\b.*"
    r"\b(?:first|start|begin)\b",
    r"\b(?:guide|lead|bring|walk|teach|take|show) (?:me|us) (?:the (?:way|road|path|steps) )?"
    r"(?:up )?(?:to|towards)(?! (?:do|use|make)\b)",
    r"\bwhich of (?:these|them|the (?:two|three)),? (?:(?:should|do|must|comes?|is) .*)?first\b",
    rf"\b(?:in )?(?:what|which) order {_MUST} {_WHO} (?:best )?"
    r"(?:take|approach|go through|work through|meet|do)\b",
    rf"\bwhat (?:else )?(?:do|does|should|must|would|will) {_WHO} (?:\w+ )?need (?:for|before)\b",
    rf"\b(?:what|which)\b.*\b{_NEED}\b.*\b{_LEARN}\b.*\b(?:before|first|for|in order to|to)\b",
    rf"\b(?:what|which)\b.*\b(?:should|must|do|does|can|to) {_WHO} {_LEARN}\b"
    r".*\b(?:before|first)\b",
    rf"\b(?:should|must|do|can|could|need) {_WHO} (?:need to |have to )?{_LEARN}\b.*"
    r"\b(?:before|first|without|for)\b",
    rf"\b(?:before|in order to|ready to|to be able to) (?:{_WHO} (?:can )?)?"
    r"(?:start(?:ing)? (?:with |on )?|begin(?:ning)? (?:with )?|try(?:ing)? to )?"
    r"(?:learn|study|understand|master|grasp|tackle|read about)",
    r"\bneed(?:ed|s)? to (?:learn|understand|study|master|grasp|follow)\b",
    r"\bwhat (?:comes|goes|is (?:taught|learnt|learned)) (?:right )?before\b",
    rf"\bhow (?:do|can|should|would) {_WHO} (?:get|work (?:my|our) way|build up) (?:from .* )?"
    r"(?:up )?to\b",
    r"\b(?:learning |study )?(?:path|road ?map|route|curriculum|syllabus|study plan)"
    r" (?:to|towards?|for|from)\b",
    rf"\b(?:in (?:what|which) order|what order|which order)\b(?=.*\b{_LEARN}\b|\W*$)",
    rf"\b{_LEARN}\b.*\b(?:in (?:what|which) order|what order|which order)\b",
    r"\bwhich (?:one )?(?:first|comes first)\b",
    r"\b(?:learn|study|start with|do|read|tackle)\b.*\bor\b.*\bfirst\b",
    r"\bwhat (?:concepts |topics |ideas )?(?:does|do|is|are) .* "
    r"(?:build|built|depend|based|rest|rely|lean)(?:ent|s)? (?:up)?on\b",
    r"\b(?:which|what) (?:concepts|topics|ideas|lessons|chapters|subjects|basics|knowledge)\b.*"
    r"\b(?:need|needed|required?|require|presuppose|assume|assumed|lead|underlie|underpin)s?\b",
    r"\b(?:where|how) (?:do|should|can) (?:i|we|one) (?:start|begin)\b.*\b(?:for|to|with|if)\b",
    rf"\b(?:is|do {_WHO} need|should {_WHO}|must {_WHO}) (?:there )?anything\b.*\b(?:before|for)\b",
    r"\bwhat (?:is|'s) (?:stopping|keeping) (?:me|us) from\b",
    r"\bhow far (?:am i|are we)(?: away)? from\b",
    r"\bwhere (?:should|do|can|must) i go back to\b",
    r"\bwhat (?:am i|are we) missing (?:for|to|before)\b",
    r"\bwhat (?:leads?|builds?) (?:up )?to\b",
    r"\b(?:show|tell) (?:me|us) the (?:way|steps|route) (?:up )?to(?:wards)?\b",
    rf"\bi (?:want|need|hope|plan|wish|try|am trying|would like|'d like) to {_STUDY}\b"
    r".*\b(?:where|how) (?:do|should|can|must) i (?:start|begin)\b",
    r"\bwhat (?:might|could|may|am|do) (?:i|we) (?:be )?(?:missing|miss|lacking|lack)\b",
    rf"\bwhat (?:should|must|do|can|could) {_WHO} (?:need to |have to )?"
    r"(?:review|revise|repeat|refresh|brush up(?: on)?|go over)(?: first| again)?\W*$",
    rf"{_MORE_BASIC}.*\bor\b",
)
# The words of such a question that are no concept of its own ("basic" is no basis).
MORE_BASIC = _any(_MORE_BASIC)
# The way to a concept, if one follows at once: "the best way to clean a filter" is none.
WAY_TO = _any(
    r"\b(?:shortest|quickest|fastest|easiest|best|straightest|most direct) (?:way|road|route)"
    r" (?:up )?to(?:wards)?\s+(?:the |an? )?$",
)
# Whether one may begin; what one can start without a word of learning may be a machine.
READY = _any(
    r"\b(?:am i|are we) (?:ready|prepared|far enough) (?:for|to)\b",
    rf"^\W*(?:.*[.;!] )?{_SO}(?:can|could|may|should|would|shall) (?:i|we) (?:already |now )?"
    rf"(?:(?:(?:start|begin)(?:ning)? (?:with |on |to )?)?{_STUDY}|(?:move|go) on to)\b"
    r"(?!.*\b(?:without|before|first|or (?!later|not))\b)",
    r"\bdo (?:i|we) know enough (?:for|to|about)\b",
    r"\b(?:is|are|will|would) (?:my|our) (?:knowledge|understanding|grasp|command|skills?)\b.*"
    r"\b(?:enough|sufficient|adequate|suffice|do) (?:for|to)\b",
    rf"\b(?:would|does|will) it make sense (?:for (?:me|us) )?to {_LEARN}\b"
    r"(?!.*\b(?:without|before|first)\b)",
    r"\bis it too (?:early|soon) (?:for|to)\b",
)
START = _any(
    rf"^\W*{_SO}(?:can|could|may) (?:i|we) (?:already |now )?(?:start|begin)"
    r"(?: with| on)?\b(?!.*\b(?:before|while|during|when|without)\b)",
)
WITHOUT = _any(
    rf"^\W*(?:can|could|may|should) {_WHO} (?:\w+ )*(?:{_LEARN}|start|begin|do)\b.*\bwithout\b",
    rf"^\W*(?:can|could|may) .* be (?:{_LEARN}|understood|learnt|taught) .*\bwithout\b",
    rf"^\W*is it (?:\w+ )+to {_LEARN}\b.*\b(?:before|without)\b",
    rf"^\W*(?:can|could|may) {_WHO} (?:who|that) (?:(?:do|does|did|has|have) not|don't|doesn't"
    rf"|never) .*\b{_LEARN}\b.*\b{_LEARN}\b",
    _SKIPPABLE,
)
# What is skipped is named first, what is learnt all the same behind it.
SKIPPED = _any(
    rf"\b{_SKIP}\b.*\b(?:and|but|before|for|to)\b",
    rf"\b{_WHO} (?:who|that) (?:(?:do|does|did|has|have) not|don't|doesn't|never)\b",
)
ORDER = _any(
    r"\bor\b.*\b(?:first|before|earlier)\b",
    r"\bwhich of (?:these|them|the (?:two|three)),? (?:(?:should|do|must|comes?|is) .*)?first\b",
    r"\b(?:what|which) order\b",
    _MORE_BASIC,
)
CHECK = _any(
    r"\b(?:test|quiz|examine|check) (?:me|us)\b",
    r"\bask (?:me|us) (?:a|some|another) (?:\w+ )?questions?\b",
    r"\b(?:give|show|set|find) (?:me|us) (?:an?|some|another) (?:\w+ )?"
    r"(?:exercises?|problems?|quiz|questions?|task)\b",
)
COMPARE = _any(
    r"^\W*(?:is|are) .* (?:needed|required|necessary|presupposed|(?:a )?prerequisites?)"
    r" (?:for|of|to|by)\b",
    r"^\W*(?:do|does|should|must) .* (?:come|be (?:learnt|learned|known|studied|taught))"
    r" (?:before|first)\b",
    rf"^\W*(?:do|must|should) {_WHO} (?:need to |have to )?{_LEARN}\b.*\bto {_LEARN}\b",
    r"^\W*(?:do|does) .* (?:need|require|presuppose|(?:build|depend|rest|rely)(?: up)? ?on)\b",
)
WHY = _any(
    r"\bhow come\b.*\b(?:needs?|requires?|(?:build|depend|rest)s?)\b",
    rf"\bwhat(?:'s| is) the point of {_LEARN}\b.*\bbefore\b",
    rf"\bwhy (?:do|does|would|should|must|is|are) .*\b(?:need(?:s|ed)?|require[sd]?|necessary|"
    rf"depends?|rests?|builds?|presupposes?|{_LEARN})\b",
)
# Verbs of doing: "what must be closed before the pump starts" is a procedure, no lesson.
PROCEDURE = _any(
    r"\bbefore (?:the |a |an |any |each |every )?[\w\s-]+ "
    r"(?:is|are|was|were|can be|may be|gets?|starts?|stops?|runs?|opens?|trips?)\b",
    r"\bwhat (?:must|should|do) (?:i|we|you|one) (?:do|check|close|open|wear|press)\b",
    r"\bhow long\b|\bhow many\b|\bhow much\b|\bwho\b|\bwhen\b(?! (?:i|we)\b)",
)
NEXT = _any(
    rf"\bwhat (?:can|should|could|shall|do|would|will|must|might) {_WHO} .*"
    r"\b(?:next|now|after (?:that|this|it)|afterwards)\b",
    r"\bwhat(?:'s| is| comes| would be| follows)?(?: the| up)? next\b"
    r"(?! to\b| steps? (?:after|in|of|when|once)\b)",
    r"\bwhat (?:now|then)\b\s*\??$",
    r"\bwhat (?:can|should|shall|could) (?:i|we) (?:learn|study|read|tackle)"
    r" (?:today|tonight|tomorrow|this week)\b",
    r"\bwhich (?:topics?|concepts?|lessons?|chapters?|ideas?)\b.*"
    r"\b(?:next|now (?:open|ready)|after|unlock)",
    r"\bnext (?:topics?|concepts?|lessons?|thing|chapters?)\b",
    r"\bnext steps?\b(?! (?:after|in|of|when|once)\b)",
    r"\bwhere (?:do|can|should|to) (?:i |we )?go (?:from here|next|now|after)\b",
    r"\bwhere (?:do|can|should|could) (?:i|we) go\W*$",
    r"\bwhat (?:am i|are we) (?:now )?(?:ready|prepared) (?:for|to)\b",
    r"\bwhat (?:does|do|will|would|can|could) .*"
    r"\b(?:unlock|open up|enable me|lead to|make possible)\b",
    r"\bwhat (?:can|could|should) i (?:learn|study|tackle|read|move on to)"
    r"(?: next| now| after| from| with|,|\?|$| if | once | given)",
    r"\bwhat (?:comes|follows|to (?:learn|study|read)) (?:right )?after\b",
    r"\bwhat (?:becomes?|is|gets) (?:possible|open|within reach|learnable)\b",
    r"\b(?:what|which) (?:other |more |later )?(?:topics |concepts |ideas |lessons |chapters )?"
    r"(?:builds?|depends?|rely|relies|rests?|leans?) (?:up)?on\b",
    r"\b(?:suggest|recommend|give me|show me|pick)\b.*\b(?:next|to (?:learn|study))\b",
    r"\bcontinue (?:from|after|with)\b.*\bwhat\b|\bmove on\b",
    rf"\bwhat (?:will|would|can) {_WHO} (?:be able to )?{_LEARN}\b"
    r".*\b(?:once|when|after|if|with)\b",
    r"^\W*where (?:do|should|can|must) (?:i|we) (?:best )?(?:start|begin)\W*$",
    r"\bwhat (?:uses|presupposes)\b",
    r"\bwhat opens (?:up )?.*\bafter\b",
    r"(?:^|[.!,;:] *)(?:and |so )?next\W*$",
    _NEEDED,
    _LATER,
    _SKIPPABLE,
)
DEPENDENTS = _any(
    r"\b(?:what|which)\b.*\b(?:builds?|depends?|rely|relies|rests?|leans?) (?:up)?on\b",
    r"\b(?:what|which)\b.*\b(?:uses|presupposes?)\b",
    _NEEDED,
    _LATER,
    _SKIPPABLE,
)
# Where to begin with all that the documents teach.
BEGIN = _any(
    rf"\b(?:where|how) {_MUST} {_WHO} (?:best )?(?:start|begin|get started|get going)\b",
    r"\b(?:what|which) (?:is|comes|would be|should be) (?:the )?(?:very )?first"
    rf" {_UNIT} to {_LEARN}\b",
    rf"\b(?:what|which {_UNIT}) {_MUST} {_WHO} {_LEARN} first\W*$",
    r"\b(?:how|where) to (?:start|begin|get started)\b"
    r".*\b(?:learning|studying|to learn|to study)\b",
)
AFTER = _any(r"\bwhat (?:comes|follows) (?:right )?after\b")
# A step of work that follows another one, and no lesson.
DOING_AFTER = _any(
    rf"^\W*after (?:an?|the|every|each) .*\bwhat (?:do|must|should|can) {_WHO} do\b",
)
# Beside something known these ask for what builds on just that, not for what else is ready.
GAINED = _any(
    r"\bwhat (?:becomes?|is|gets) (?:possible|open|within reach|learnable)\b",
    r"\bwhat (?:does|do|will|would|can|could) .*\b(?:unlock|open up|lead to|make possible)\b",
)
RELATIONSHIP = _any(
    r"\bhow (?:is|are|was|were) .+ "
    r"(?:related|connected|linked|tied|different|similar|associated)\b",
    r"\b(?:relation(?:ship)?s?|connections?|links?|ties|differences?|distinction|similarit(?:y|ies)"
    r"|comparison|contrast|interplay|dependency) (?:between|of|among)\b",
    r"\bhow (?:do|does|did) .+ "
    r"(?:relate|differ|compare|connect|tie in|(?:fit|hang|go|belong) together|depend on each other|"
    r"interact)\b",
    r"\b(?:compare|contrast|relate|distinguish|connect|link)\b.+"
    r"\b(?:and|with|to|from|against|between)\b",
    r"\bwhat (?:has|have|does|do) .+ (?:to do with|in common)\b",
    r"\bwhat (?:distinguishes|separates|connects|links|relates)\b",
    r"\b(?:vs\.?|versus)\b|\bcompared (?:to|with)\b",
    r"\b(?:is|are) .+ (?:related|connected|linked|similar) to\b",
    r"\b(?:is|are) .+ (?:the )?same (?:thing )?as\b",
    r"\bin what way (?:is|are|does|do)\b.*\b(?:and|to|with)\b",
)
# The words of such a question that are no concept of its own, whatever the documents call so.
RELATING = _any(
    r"\b(?:relation(?:ship)?s?|connections?|links?|ties|differences?|distinction|similarit(?:y|ies)"
    r"|comparison|contrast|interplay|dependency) (?:between|of|among)\b",
    r"^\W*(?:compare|contrast|relate|distinguish|connect|link)\b",
    r"\b(?:related|connected|linked|tied|different|similar|associated|compared|in common)\b",
)
_CORPUS = (
    r"(?:course|corpus|collection|documents?|docs|notes|material|library|handbook|manual|book|"
    r"textbook|folder|files?|texts?|lessons|index|knowledge base|all of this|everything)"
)
OVERVIEW = _any(
    r"\b(?:main|major|key|central|principal|overall|recurring|most important|core|big)"
    r" (?:themes?|topics?|subjects?|areas?|ideas?|concepts?)\b"
    rf"(?!.*\b(?:of|behind|in|for|about) (?!(?:the|this|these|my|our|all|your)\b.*\b{_CORPUS}))",
    rf"\bwhat (?:is|are|do|does) (?:the |this |these |my |our |all |whole |entire )*{_CORPUS}"
    r"(?: \w+)? (?:about|cover|contain|deal with|discuss|teach)",
    rf"\b(?:overview|summary|outline|summari[sz]e|table of contents)\b.*\b{_CORPUS}\b",
    r"^\W*(?:give (?:me )?an? )?(?:overview|summary|outline|table of contents)\W*$",
    r"\bwhat (?:topics|subjects|themes|areas|concepts)\b.*"
    rf"\b(?:covered|here|there|discussed|included|in (?:the|this|these|my) {_CORPUS})\b",
    r"\bwhat (?:can|could) i (?:ask|find|read about|learn)(?: about)? "
    r"(?:here|in (?:here|this|these|the))",
    rf"\bwhat('s| is) in (?:the|this|these|my) {_CORPUS}\b",
    r"\bthe big picture\b\W*$",
    rf"\bhow (?:is|are) (?:the|this|these|my|our) (?:whole )?{_CORPUS} (?:\w+ )?"
    r"(?:structured|organi[sz]ed|built up|put together|laid out)\b",
)
KNOWN = _any(
    r"\b(?:i|we)(?:'ve| have|'m| am|'re| are)? (?:already |now |just |do |also )*"
    r"(?:know|understand|understood|learnt|learned|studied|mastered|finished|covered|completed|read|done"
    r"|familiar with|comfortable with|confident (?:with|in|about)|good at|at home (?:with|in)|"
    r"grasped|been through|worked through|seen|had)\b",
    r"\b(?:i|we) (?:already |now )*can (?:already |now )*"
    r"(?:compute|calculate|do|solve|find|use|handle|apply|explain|prove|work with)\b",
    r"\b(?:knowing|having (?:learnt|learned|studied|mastered|finished|understood|read|done)"
    r"|given(?: that i know)?|after(?: learning| studying| finishing)?"
    r"|once (?:i|we) (?:know|understand|have|can))\b",
    r"\bwith\b(?=.*\b(?:under my belt|behind me|in hand|mastered)\b)",
    r"\b(?:my|our) (?:knowledge|understanding|grasp|command) of\b",
    r"\b(?:starting|get|path|route|way|road ?map|go(?:ing)?|coming|up) from\b|^from\b",
    r"\b(?:what (?:does|do|will|would|can|could))\b"
    r"(?=.*\b(?:unlock|open up|lead to|make possible)\b)",
    r"\b(?:what|that|which)(?: \w+)? builds? on\b|\bdepends? on\b",
)
# "should I know": asked, not claimed.
ASKED = _any(r"\b(?:should|must|do|did|can|would|to|never|not)\s*$")
CLAUSE_END = _any(
    r"[;.?!:]|,? *(?:\bso\b|\bbut\b)",
    r",?\s*\b(?:what|which|where|how|can|should|to|is|do|am|want|in order)\b",
    r"\bunder my belt\b|\bbehind me\b|\b(?:unlock|open up|lead to)\b",
    r"\b(?:enough|sufficient|adequate)\b",
)
GOAL = _any(
    r"\b(?:before|for|to (?:learn|understand|study|master|grasp|tackle|follow)|towards?)\b",
    r"\b(?:get|way|path|route|road ?map|lead|leads|up) (?:\w+ )?to(?:wards?)?\b",
    r"\b(?:prerequisites?(?: of| for| to)|ready (?:for|to))\b",
    r"\b(?:needed|required|necessary|presupposed) by\b",
)
