import { checksumOf } from '../../../../src/causes/secret-checksum.ts'
import { ORIGIN, type Paste, testPastes } from './diagnosed.ts'

const BODY = 'sk-tg-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcd'
const KEY = BODY + checksumOf(BODY)

/** The gateway's own errors as clients print them, keys, base URLs and config files, and connections that failed. */
const OWN: readonly Paste[] = [
  ['API Error: 401 {"error":{"message":"No API key was sent.","code":"key_missing"}}', 'key_missing', 'base URL'],
  [
    "Error code: 401 - {'error': {'message': 'x', 'code': 'key_unknown'}}\nx-tollgate-fault: key_unknown",
    'key_unknown',
    'rotate_key',
  ],
  ['< x-tollgate-fault: key_disabled', 'key_disabled', 'enable_key'],
  ['< x-tollgate-fault: key_expired', 'key_expired', 'edit_key'],
  ['< x-tollgate-fault: key_deleted', 'key_deleted', 'create_key'],
  ['{"type":"error","error":{"type":"billing_error"},"fault":"balance_exhausted"}', 'balance_exhausted', 'add_credit'],
  ['429 {"error":{"code":"key_quota_exhausted"}}', 'key_quota_exhausted', 'edit_key'],
  ['{"error":{"code":429,"details":[{"reason":"rate_limited"}]}}', 'rate_limited', 'edit_key'],
  ['There is no model "gpt-6" on this gateway. Did you mean "gpt-5.5"? Choose', 'model_unknown', 'copy_model'],
  ['{"error":{"code":"model_not_allowed"}}', 'model_not_allowed', 'base URL'],
  ['{"error":{"code":"group_forbidden"}}', 'group_forbidden', 'add_credit'],
  ['The request body is larger than 32 MB', 'body_too_large', 'base URL'],
  [
    'stream error: unexpected status 503: {"error":{"code":"upstream_unavailable"}}',
    'upstream_unavailable',
    'ask_admin',
  ],
  ['{"error":{"code":"upstream_overloaded"}}', 'upstream_overloaded', 'show_models'],
  ['{"error":{"code":"upstream_timeout"}}', 'upstream_timeout', 'base URL'],
  ['{"error":{"code":"store_unavailable"}}', 'store_unavailable', 'ask_admin'],
  ['Only from certain IP addresses may this key be used', 'ip_not_allowed', 'edit_key'],
  [KEY.slice(0, -4), 'key_malformed missing', 'rotate_key'],
  [`"${KEY}"`, 'key_malformed quoted', 'base URL'],
  [`Bearer Bearer ${KEY}x`, 'key_malformed extra', 'base URL'],
  ['sk-proj-abcdefghijklmnop1234', 'key_unknown OpenAI', 'create_key'],
  ['sk-ant-api03-abcdefghijklmnop', 'key_unknown Anthropic', 'create_key'],
  [`tg-pat-${'a1'.repeat(20)}`, 'key_unknown', 'create_key'],
  [`OPENAI_API_KEY=<your-key>\nOPENAI_BASE_URL=${ORIGIN}/v1`, 'key_malformed variable', 'base URL'],
  ['export ANTHROPIC_API_KEY=your-api-key-here', 'key_malformed placeholder', 'base URL'],
  [`${ORIGIN}/v1/chat/completions`, 'base_url_wrong', 'copy_base_url'],
  [`${ORIGIN}/v1/messages`, 'base_url_wrong', 'copy_base_url'],
  [`${ORIGIN}/console/keys`, 'path_unknown', 'copy_base_url'],
  [`${ORIGIN}/api/v2`, 'path_unknown', 'copy_base_url'],
  ['https://api.openai.com/v1', 'https://api.openai.com', 'base URL'],
  ['base_url = "https://api.deepseek.com/anthropic"', 'https://api.deepseek.com', 'base URL'],
  [`curl ${ORIGIN}/v1/models -H "x-api-key: ${KEY.slice(0, -2)}"`, 'key_malformed missing', 'rotate_key'],
  [`{"baseURL": "${ORIGIN}/v1/chat/completions", "apiKey": "${KEY}"}`, 'base_url_wrong', 'copy_base_url'],
  ['connect ECONNREFUSED 127.0.0.1:8787', 'refused', 'base URL'],
  ['curl: (7) Failed to connect to gate.example port 8787 after 0 ms: Connection refused', 'refused', 'base URL'],
  ['curl: (6) Could not resolve host: gate.example', 'unknown_host', 'base URL'],
  ['getaddrinfo ENOTFOUND gate.example', 'unknown_host', 'base URL'],
  ['connect ETIMEDOUT 203.0.113.7:443', 'unreachable', 'base URL'],
  ['connect EHOSTUNREACH 203.0.113.7:443', 'unreachable', 'base URL'],
  ['self-signed certificate in certificate chain', 'certificate', 'base URL'],
  ['write EPROTO 1:error:0A00010B:SSL routines::wrong version number', 'plain_port', 'base URL'],
  ['socket hang up', 'cut', 'base URL'],
  ['read ECONNRESET', 'cut', 'base URL'],
  [`Unexpected token '<', "<!DOCTYPE "... is not valid JSON`, 'not_a_gateway', 'base URL'],
  ["has been blocked by CORS policy: No 'Access-Control-Allow-Origin' header", 'cross_site', 'base URL'],
  ['openai.APIConnectionError: <urlopen error [Errno 111] Connection refused>', 'refused', 'base URL'],
]

testPastes(OWN)
