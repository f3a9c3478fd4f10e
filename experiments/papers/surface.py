from paper import Paper
PAPER = Paper("surface", "surface", "", (), (), lambda build: [], lambda build: [])
