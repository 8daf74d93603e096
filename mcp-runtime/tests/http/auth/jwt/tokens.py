"""Makes `tokens.json`: keys and tokens of another implementation than the one that verifies them.

    pip install pyjwt cryptography && python tokens.py > tokens.json

No private key is kept, so every run makes all of them anew.
"""

import base64, hashlib, hmac, json

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, OKPAlgorithm, RSAAlgorithm

RESOURCE = "https://mcp.example.com/mcp"
FUTURE, PAST = 4102444800, 1000000000  # 2100, 2001

keys = {
    "rsa": (rsa.generate_private_key(65537, 2048), RSAAlgorithm),
    "rotated": (rsa.generate_private_key(65537, 2048), RSAAlgorithm),
    "encrypts": (rsa.generate_private_key(65537, 2048), RSAAlgorithm),
    "weak": (rsa.generate_private_key(65537, 1024), RSAAlgorithm),
    "any-rsa": (rsa.generate_private_key(65537, 3072), RSAAlgorithm),
    "p256": (ec.generate_private_key(ec.SECP256R1()), ECAlgorithm),
    "p384": (ec.generate_private_key(ec.SECP384R1()), ECAlgorithm),
    "p521": (ec.generate_private_key(ec.SECP521R1()), ECAlgorithm),
    "ed": (ed25519.Ed25519PrivateKey.generate(), OKPAlgorithm),
}
SECRET = b"a secret of at least 32 bytes, as HMAC wants it"


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def jwk(name, **more):
    key, algorithm = keys[name]
    return {**algorithm.to_jwk(key.public_key(), as_dict=True), "kid": name, **more}


def claims(**more):
    all = {"iss": "https://auth.example.com", "sub": "ann", "aud": RESOURCE, "exp": FUTURE, "iat": PAST, **more}
    return {name: value for name, value in all.items() if value is not None}


def token(key="rsa", alg="RS256", headers=None, **more):
    return jwt.encode(claims(**more), keys[key][0], algorithm=alg, headers={"kid": key, **(headers or {})})


def by_hand(header, payload, sign):
    text = f"{b64(json.dumps(header).encode())}.{b64(json.dumps(payload).encode())}"
    return f"{text}.{b64(sign(text.encode()))}"


def rs256(text):
    return RSAAlgorithm(RSAAlgorithm.SHA256).sign(text, keys["rsa"][0])


def hs256(secret):
    return lambda text: hmac.new(secret, text, hashlib.sha256).digest()


public = keys["rsa"][0].public_key()
header, payload, signature = token().split(".")
tampered = ".".join([header, b64(json.dumps(claims(sub="root")).encode()), signature])

print(json.dumps({
    "jwks": {"keys": [
        "no key", {}, {"kty": "RSA"}, {"kty": "quantum", "kid": "q"},
        {"kty": "oct", "kid": "secret", "k": b64(SECRET), "alg": "HS256"},
        jwk("encrypts", use="enc"), jwk("weak"), jwk("p521"),
        jwk("rsa", use="sig", alg="RS256", x5t="unused"), jwk("any-rsa", key_ops=["verify"]),
        jwk("p256", alg="ES256"), jwk("p384"), jwk("ed"),
    ]},
    "rotated": {"keys": [jwk("rotated", use="sig")]},
    "good": {
        "RS256": token(scope="flights:read  openid"),
        "RS512": token("any-rsa", "RS512"),
        "PS256": token("any-rsa", "PS256"),
        "ES256": token("p256", "ES256", scp=["flights:read"]),
        "ES384": token("p384", "ES384", scp="flights:read"),
        "EdDSA": token("ed", "EdDSA", scope="flights:write", scp=["flights:read", "flights:write", 7]),
        "without kid": jwt.encode(claims(), keys["p256"][0], algorithm="ES256"),
        "audiences": token(aud=["https://other.example.com", RESOURCE]),
        "audience with a slash": token(aud=RESOURCE + "/"),
        "access token": token(headers={"typ": "at+jwt"}),
        "in fractions": token(exp=FUTURE + 0.5, nbf=PAST + 0.5),
        "other claims": token(email="ann@example.com", jti="1", act={"sub": "agent"}),
    },
    "api": token(aud="api://flights"),
    "rotated token": token("rotated"),
    "bad": {
        "expired": (token(exp=PAST), "the token has expired"),
        "not yet": (token(nbf=FUTURE - 1), "the token is not valid yet"),
        "of another issuer": (token(iss="https://auth.example.com/"), "the token is from another issuer"),
        "of issuers": (by_hand({"alg": "RS256", "kid": "rsa"}, claims(iss=["https://auth.example.com"]), rs256), "the token has no subject (`sub`)"),
        "for another": (token(aud="https://other.example.com"), "the token is for another audience"),
        "for a part": (token(aud="https://mcp.example.com"), "the token is for another audience"),
        "for others": (token(aud=["a", "b"]), "the token is for another audience"),
        "for nobody": (token(aud=[]), "the token is for another audience"),
        "for a number": (token(aud=7), "the token lacks `aud`"),
        "without aud": (token(aud=None), "the token lacks `aud`"),
        "without exp": (token(exp=None), "the token lacks `exp`"),
        "exp as text": (by_hand({"alg": "RS256", "kid": "rsa"}, claims(exp="4102444800"), rs256), "the token lacks `exp`"),
        "without iss": (token(iss=None), "the token lacks `iss`"),
        "without sub": (token(sub=None), "the token lacks `sub`"),
        "of nobody": (token(sub=""), "the token has no subject (`sub`)"),
        "tampered": (tampered, "the signature of the token is wrong"),
        "unsigned": (by_hand({"alg": "none"}, claims(), lambda _: b""), "the token is not a signed JWT"),
        "unsigned in capitals": (by_hand({"alg": "NONE", "kid": "rsa"}, claims(), lambda _: b""), "the token is not a signed JWT"),
        "without a signature": (token().rsplit(".", 1)[0] + ".", "the signature of the token is wrong"),
        "secret is the public key": (by_hand({"alg": "HS256", "kid": "rsa"}, claims(), hs256(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))), "the token is signed with an unknown key"),
        "secret is the modulus": (by_hand({"alg": "HS256"}, claims(), hs256(public.public_numbers().n.to_bytes(256, "big"))), "the token is signed with an unknown key"),
        "secret of the set": (by_hand({"alg": "HS256", "kid": "secret"}, claims(), hs256(SECRET)), "the token is signed with an unknown key"),
        "algorithm is not the key's": (token("rsa", "PS256"), "the token is signed with an unknown key"),
        "kind is not the key's": (token("p256", "ES256", headers={"kid": "rsa"}), "the token is signed with an unknown key"),
        "key is another's": (token("any-rsa", "RS256", headers={"kid": "rsa"}), "the signature of the token is wrong"),
        "key is unknown": (token("rotated"), "the token is signed with an unknown key"),
        "key brought along": (token("rotated", headers={"jwk": jwk("rotated")}), "the token is signed with an unknown key"),
        "key only encrypts": (token("encrypts"), "the token is signed with an unknown key"),
        "key is weak": (token("weak"), "the token is signed with an unknown key"),
        "critical": (token(headers={"crit": ["b64"], "b64": True}), "the token has critical extensions that this server does not know (`crit`)"),
        "another kind": (token(headers={"typ": "logout+jwt"}), "the token is not an access token (`typ`)"),
        "bound to a key": (token(cnf={"jkt": "x"}), "the token is bound to a key (`cnf`), and this server accepts only bearer tokens"),
        "no JWT": ("opaque", "the token is not a signed JWT"),
        "two parts": ("e30.e30", "the token is not a signed JWT"),
        "four parts": ("e30.e30.e30.e30", "the token is not a signed JWT"),
        "no JSON": ("AAAA.AAAA.AAAA", "the token is not a signed JWT"),
        "claims are a list": (by_hand({"alg": "RS256", "kid": "rsa"}, [], rs256), "the token is not a signed JWT"),
    },
}, indent=1))
