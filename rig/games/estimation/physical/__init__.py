"""What Estimation Domino does with a camera and a pusher: rows read, pushes made and judged."""
