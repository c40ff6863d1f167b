/** The call that a quote came from, for a shell. */

/** Quoted so that a POSIX shell takes it as it is. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * @param origin of the service, `https://host`
 * @returns two commands: one that takes a token with the secret in `CLIENT_SECRET`, one that asks for the quote
 */
export const curlOf = (origin: string, clientId: string, request: unknown): string =>
  [
    `TOKEN=$(curl -sS ${quoted(`${origin}/token/generate`)} \\`,
    `  -d grant_type=client_credentials --data-urlencode ${quoted(`client_id=${clientId}`)} \\`,
    `  --data-urlencode "client_secret=$CLIENT_SECRET" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -sS ${quoted(`${origin}/v1/client/shipment/rates?explain=true`)} \\`,
    `  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`,
    `  --data-binary ${quoted(JSON.stringify(request))}`,
  ].join('\n');
