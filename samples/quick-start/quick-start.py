# 1. Get a token
import csv
import io
import json
import time
import urllib.error
import urllib.request

URL = "http://127.0.0.1:3000"
credentials = {"client_id": "demo", "client_secret": "demo-secret"}
headers = {}


def call(path, body=None, content_type="application/json"):
    """The text of an answer. A fault ends the program."""
    more = {"Content-Type": content_type} if body else {}
    request = urllib.request.Request(URL + path, body, {**headers, **more})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        fault = json.load(error)["fault"]
        raise SystemExit(f"{fault['type']}: {fault['message']}")


token = json.loads(call("/token/generate", json.dumps(credentials).encode()))
headers["Authorization"] = f"Bearer {token['access_token']}"

# 2. Ask for a quote
rates = {
    "shipper": {"warehouse_id": 101},
    "recipient": {"address": {"postalCode": "02139"}},
    "packageItems": [{"weight": {"units": "LB", "value": 2.1}}],
}
body = json.dumps({"rates": rates}).encode()
quote = json.loads(call("/v1/client/shipment/rates", body))
print(f"{quote['shippingService']}: ${quote['totalNetCharge']}")
# → C1-GROUND: $11.99

# 3. Upload a list
rows = b"""order,warehouse_id,postalCode,weight_value,weight_units
A1,101,02139,2.1,LB
A2,101,60614,12,LB
A3,101,0213,3,LB
"""
upload = "/v1/client/shipment/rates/batches?filename=orders.csv"
batch = json.loads(call(upload, rows, "text/csv"))

# 4. Wait until it has ended
while batch["status"] not in ("completed", "failed", "cancelled"):
    time.sleep(1)
    batch = json.loads(call(batch["links"]["self"]))
print(f"{batch['status']}: {batch['rows']['quoted']} quoted, {batch['rows']['faulted']} faulted")
# → completed: 2 quoted, 1 faulted

# 5. Download the result
output = call(batch["links"]["output"])
with open("orders-quoted.csv", "w", newline="", encoding="utf-8") as file:
    file.write(output)
for row in csv.DictReader(io.StringIO(output, newline="")):
    print(row["order"], row["quote_totalNetCharge"] or row["fault_type"])
# → A1 11.99
# → A2 19.60
# → A3 getRates.invalidRequest
