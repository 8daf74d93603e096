"""The shop written with FastMCP: `shop.py HOST PORT REDIS PRICES`."""

import sys

import httpx2
import redis.asyncio
import uvicorn
from fastmcp import FastMCP
from pydantic import BaseModel

host, port, store, prices = sys.argv[1:]
shop = FastMCP("shop")
database = redis.asyncio.Redis.from_url(store)
client = httpx2.AsyncClient()


class Cart(BaseModel):
    pieces: int
    products: int
    cents: int


@shop.tool
async def add_to_cart(user: str, product: str, pieces: int) -> Cart:
    """Put pieces of a product into the cart of a user."""
    cart, history = f"cart:{user}", f"history:{user}"
    before = await database.hgetall(cart)
    price = (await client.get(f"{prices}/{product}")).json()
    async with database.pipeline(transaction=False) as change:
        change.hincrby(cart, product, pieces).zincrby("popular", pieces, product)
        change.lpush(history, product).ltrim(history, 0, 9)
        pieces, *_ = await change.execute()
    products = len(before) + (product.encode() not in before)
    return Cart(pieces=pieces, products=products, cents=pieces * price["cents"])


app = shop.http_app(json_response=True)
uvicorn.run(app, host=host, port=int(port), log_level="error", access_log=False, timeout_keep_alive=60)
