# Ends at the first call that fails.
set -e

# 1. Get a token
URL=http://127.0.0.1:3000
TOKEN=$(curl -fsS "$URL/token/generate" \
  -d grant_type=client_credentials \
  -d client_id=demo -d client_secret=demo-secret |
  sed 's/.*"access_token":"\([^"]*\)".*/\1/')

# 2. Ask for a quote
curl -sS --fail-with-body "$URL/v1/client/shipment/rates" -w '\n' \
  -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: application/json' \
  -d '{"rates": {
    "shipper": {"warehouse_id": 101},
    "recipient": {"address": {"postalCode": "02139"}},
    "packageItems": [{"weight": {"units": "LB", "value": 2.1}}]
  }}'
# → {…"totalNetCharge":11.99,"shippingService":"C1-GROUND",…}

# 3. Upload a list
cat > orders.csv <<'END'
order,warehouse_id,postalCode,weight_value,weight_units
A1,101,02139,2.1,LB
A2,101,60614,12,LB
A3,101,0213,3,LB
END
LISTS="$URL/v1/client/shipment/rates/batches"
BATCH=$(curl -fsS "$LISTS?filename=orders.csv" \
  -H "Authorization: Bearer $TOKEN" \
  -H 'Content-Type: text/csv' \
  --data-binary @orders.csv |
  sed 's/.*"self":"\([^"]*\)".*/\1/')

# 4. Wait until it has ended
curl -fsSN "$URL$BATCH/events" \
  -H "Authorization: Bearer $TOKEN" |
  grep -o '"status":"[a-z_]*"' | tail -n 1
# → "status":"completed"

# 5. Download the result
curl -fsS "$URL$BATCH/output" \
  -H "Authorization: Bearer $TOKEN" \
  -o orders-quoted.csv
cut -d, -f1,7,14,20 orders-quoted.csv
# → order,quote_status,quote_totalNetCharge,fault_type
# → A1,200,11.99,
# → A2,200,19.60,
# → A3,422,,getRates.invalidRequest
