"""The reader's benchmark: right on labelled and real texts, fast, and bounded on hostile ones."""
