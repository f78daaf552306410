"""What one frame shows, what looks mean over time, and the evidence of a fall.

A frame that shows nothing new is not looked at again. A sight is `still`, and may be acted on, when
two looks in a row show the same. Both are compared with the first look that differed, so that what
creeps is never still. While a hand is in view, everything stays as it was reported last.

A tile is down when its upper edge has left its place. Each tile has its own confidence; that of the
verdict is the confidence of the tile that decides it. A hand beside the row, a gap in the film, a
row that does not come to rest, or a hidden mat at the end is a `Doubt`, and then people judge.
"""
