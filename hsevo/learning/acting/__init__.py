"""The end-to-end policy in compiled code: what plays its games. PyTorch is only for learning."""
