"""What a part of the pooled runs tells."""
