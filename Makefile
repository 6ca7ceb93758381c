VENV := .venv
PYTHON ?= python3
BIN := $(VENV)/bin
DEMO := $(BIN)/graphrag --index demo.graphrag
export HF_HUB_OFFLINE := 1

.PHONY: setup demo test lint clean

setup: $(VENV)/.installed

$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $@

demo: setup
	$(DEMO) ingest corpora/linear-algebra/documents
	@echo; echo '--- What do I need before X? The graph gives the order, the documents the prose.'
	$(DEMO) ask "What do I need to know before eigenvalues?" --writer extractive
	@echo; echo '--- What can I learn next?'
	$(DEMO) next --known "vector,matrix,linear combination"
	@echo; echo '--- How are A and B related?'
	$(DEMO) ask "How are rank and nullity related?" --writer extractive
	@echo; echo '--- A plain question'
	$(DEMO) ask "What is a pivot column?" --writer extractive
	@echo; echo '--- A question that these documents do not answer'
	$(DEMO) ask "How long does a pizza bake?" --writer extractive
	@echo; echo '--- The graph itself, in Cypher'
	$(DEMO) cypher "MATCH (c:Concept)-[r:REQUIRES]->(p:Concept) WHERE r.status = 'certain' RETURN c.name AS concept, p.name AS requires, r.weight AS weight ORDER BY weight DESC, concept LIMIT 8"
	$(DEMO) export demo.graphrag/graph.html
	@echo
	@echo 'Your own folder:   $(BIN)/graphrag ingest my-notes/'
	@echo 'then ask it:       $(BIN)/graphrag ask "What do I need before ...?"'
	@echo 'and look at it:    $(BIN)/graphrag export graph.html'

test: setup
	$(BIN)/python -m pytest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV) demo.graphrag
