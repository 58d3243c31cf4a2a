"""What everyday work in the back office takes: twelve flows, walked in a browser as an editor walks them."""
