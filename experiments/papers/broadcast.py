from paper import Paper
PAPER = Paper("broadcast", "broadcast", "", (), (), lambda build: [], lambda build: [])
