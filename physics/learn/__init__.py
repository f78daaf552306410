"""Fitting the prediction, and what it is measured against: 3D falls, theory, scores."""
