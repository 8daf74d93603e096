print("refund")
