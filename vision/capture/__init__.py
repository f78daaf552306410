"""Frames from cameras and from files.

A thread of its own waits for the driver and keeps the newest frame only; `read` never waits, except
for the first. MJPG is asked for before the size, or else 1080p comes at five pictures a second. The
camera finds exposure, white balance, focus and gain by itself at first; then they are held and read
back, for some cameras accept a value and ignore it. After a cable was pulled the camera is tried
again and again, and gets the very values that it had. A frame carries the time stamp of the kernel
where there is one.

What can be held:

| | Linux (V4L2) | Windows (DirectShow, then Media Foundation) | macOS (AVFoundation) |
|---|---|---|---|
| size, MJPG, rate | yes | yes; Media Foundation chooses the coding | size only |
| exposure, white balance, focus, gain | yes | yes | no |
| mains frequency | yes, asked of the kernel | no | no |

`read` fails with a kind of `NoFrame` that says what is the matter: `CameraGone` (unplugged, not
allowed, or held by another program), `CameraHangs` (no picture, or no answer to opening), or
`CameraClosed`.
"""
