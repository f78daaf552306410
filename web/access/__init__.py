"""Who may come in: addresses, the join code, cookies, tickets, certificates."""
