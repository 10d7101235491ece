"""A shop: sells an item for an exact price, refunds it, and prints the latest sales.

Start the service with its sample data (npm start), set GUILDBOOK_KEY to the key that it prints, and run:

    python examples/shop.py
"""

import os
import uuid
from decimal import Decimal
from itertools import islice

from guildbook import Guildbook, OverdraftError

PLAYER = "mistseeker"
ITEM = "Copper Nail"
PRICE = Decimal("0.075")


def sell(guildbook: Guildbook, *, order_id: str, player_id: str, quantity: int) -> str | None:
    """Sells the item and returns the transaction's id, or None when the player cannot afford it.

    The service checks the balance and takes the money in one step. The order's id makes the sale count once, even when
    this program is restarted and handles the order again.
    """
    try:
        sale = guildbook.post_transaction(
            player_id=player_id,
            name=ITEM,
            quantity=quantity,
            amount=-PRICE,
            source="shop",
            withdrawal=True,
            idempotency_key=f"order {order_id}",
        )
    except OverdraftError:
        return None
    print(f"Sold {quantity} x {ITEM} for {PRICE * quantity}; the balance is {sale.balance}.")
    return sale.transaction_id


def main() -> None:
    base_url = os.environ.get("GUILDBOOK_URL", "http://127.0.0.1:3000")
    with Guildbook(base_url, os.environ["GUILDBOOK_KEY"]) as guildbook:
        user = guildbook.get_user(PLAYER)
        transaction_id = sell(guildbook, order_id=str(uuid.uuid4()), player_id=user.player_id, quantity=40)
        if transaction_id is None:
            print(f"{user.username} cannot afford that.")
            return
        refund = guildbook.reverse(transaction_id, reason="Returned to the shop").transaction
        print(f"Refunded {refund.total}; the balance is {refund.balance_after}.")
        for sale in islice(guildbook.transactions(user.player_id, source="shop"), 3):
            print(f"{sale.created_at:%Y-%m-%d %H:%M}  {sale.total:>10}  {sale.name}")


if __name__ == "__main__":
    main()
