import { MASKED, type Paste, testPastes } from './diagnosed.ts'

/** Texts that were explained wrongly, and those that nothing was found in. */
const NAMED: readonly Paste[] = [
  [
    `Error code: 401 - {'error': {'message': 'Incorrect API key provided: ${MASKED}. You can find your API key at https://platform.openai.com/account/api-keys.', 'type': 'invalid_request_error', 'param': None, 'code': 'invalid_api_key'}}`,
    'openai answered',
    'base URL',
  ],
  ['ERROR: failed to connect to websocket: HTTP error: 426 Upgrade Required', 'websocket', 'base URL'],
  ['httpx.ReadTimeout: The read operation timed out', 'read_timeout', 'base URL'],
  [
    '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx/1.24.0 (Ubuntu)</center>\r\n</body>\r\n</html>',
    'nginx answered',
    'base URL',
  ],
  [
    '<html>\r\n<head><title>504 Gateway Time-out</title></head>\r\n<body>\r\n<center><h1>504 Gateway Time-out</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>',
    'nginx answered',
    'base URL',
  ],
  [
    'API Error: 401 No API key was sent. Send it in the header "Authorization: Bearer <key>"',
    'key_missing',
    'base URL',
  ],
  [
    'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"},"request_id":"req_011CSHoEeqs5C35K2UUqR7Fy"}',
    'anthropic answered',
    'base URL',
  ],
  [
    '{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}',
    'google answered',
    'base URL',
  ],
  [
    '401 {"error":{"message":"Authentication Fails, Your api key: ****wxyz is invalid","type":"authentication_error"}}',
    'deepseek answered',
    'base URL',
  ],
  ['{"error":{"message":"No auth credentials found","code":401}}', 'openrouter answered', 'base URL'],
  [
    '{"error":{"code":"unsupported_country_region_territory","message":"Country, region, or territory not supported","param":null,"type":"request_forbidden"}}',
    'openai answered',
    'base URL',
  ],
  ['401 {"error":{"type":"authentication_error","message":"Invalid bearer token"}}', 'anthropic answered', 'base URL'],
  ['OAuth token has expired. Please obtain a new token.', 'anthropic answered', 'base URL'],
  ['Missing environment variable: `TOLLGATE_API_KEY`.', 'no_key', 'base URL'],
  ['Request failed with status code 401', '401', 'base URL'],
  [
    'Error code: 404 - {"error":{"message":"The model `gpt-5.5-mini` does not exist or you do not have access to it.","code":"model_not_found"}}',
    'openai answered',
    'base URL',
  ],
  ['Error: 413 Request Entity Too Large', '413', 'base URL'],
  ['Connection error.', 'no_connection', 'base URL'],
  ['TypeError: fetch failed', 'no_connection', 'base URL'],
  ['curl: (52) Empty reply from server', 'cut', 'base URL'],
  ['curl: (28) Operation timed out after 30001 milliseconds with 0 bytes received', 'read_timeout', 'base URL'],
  ['curl: (3) URL using bad/illegal format or missing URL', 'bad_url', 'base URL'],
  ['error code: 524', 'cloudflare answered', 'base URL'],
  ['404 page not found', 'go_server answered', 'base URL'],
  [
    'upstream connect error or disconnect/reset before headers. reset reason: connection failure, transport failure reason: delayed connect error: Connection refused',
    'envoy answered',
    'base URL',
  ],
  ['HTTP 503', '503', 'base URL'],
]

testPastes(NAMED)
