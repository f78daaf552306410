"""What is sent besides views: pages, files, words, QR codes."""
