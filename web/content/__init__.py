"""What is sent besides a view: pages, files, words, QR codes."""
