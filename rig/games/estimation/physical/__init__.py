"""What people do with a row and a pusher: stand, confirm, dispute, call, hold, push."""
