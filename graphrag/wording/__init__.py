"""How a text is worded: its sentences, words, numbers and names. Pure, no language model."""
