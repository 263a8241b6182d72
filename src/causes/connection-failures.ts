import type { ConnectionFailure } from './connection-texts.ts'

export type { ConnectionFailure } from './connection-texts.ts'

/** The failure that the text reports; null: none. `text`: an error's message, or its code alone. */
export function connectionFailureIn(text: string): ConnectionFailure | null {
  const flat = text.replaceAll(/\s+/g, ' ')
  return CONNECTION_FAILURES.find((name) => PATTERNS[name].some((pattern) => pattern.test(flat))) ?? null
}

/**
 * Whether the text has a response with a status as well, so that its words of a failure are of a server about another one, or
 * a client's name for any error.
 */
export function isAnsweredIn(text: string, failure: ConnectionFailure): boolean {
  return VAGUE.has(failure) || (WITHOUT_RESPONSE.has(failure) && BODY_BEHIND_STATUS.test(text))
}

const VAGUE: ReadonlySet<ConnectionFailure> = new Set(['no_connection', 'no_key'])
const WITHOUT_RESPONSE: ReadonlySet<ConnectionFailure> = new Set([
  'bad_url',
  'plain_port',
  'certificate_expired',
  'certificate_of_other_host',
  'certificate',
  'tls',
  'lookup_failed',
  'unknown_host',
  'unreachable',
  'refused',
])
const BODY_BEHIND_STATUS = /\b[45]\d\d\b[^\n]{0,60}[{[]/

/** Whether this is the name of one. */
export function isConnectionFailure(text: string): text is ConnectionFailure {
  return Object.hasOwn(PATTERNS, text)
}

/** Codes and words of curl, Node, Python, Go, Java, Rust and browsers, the more particular before the more general. */
const PATTERNS: Readonly<Record<ConnectionFailure, readonly RegExp[]>> = {
  no_key: [
    /missing environment variable|could not resolve authentication method|AI_LoadAPIKeyError/i,
    /api_key client option must be set|did not find \w{0,60}api_key|Missing credentials\. Please pass/i,
    /(?:api key|api_key|apiKey) (?:is missing|is not set|not found|not configured)|environment variable is missing/i,
    /Missing API key|No (?:OpenAI |Anthropic )?API key (?:found|provided|set)|未(?:设置|配置|填写) ?(?:API ?密钥|API ?key|key)/i,
  ],
  own_login: [
    /please run \/login|run \/login|token refresh failed|"invalid_grant"|(?:refresh|access) token could not be/i,
    /sign in (?:again )?with (?:ChatGPT|Claude)|请(?:先|重新)登录/i,
  ],
  bad_url: [
    /ERR_INVALID_URL|invalid url|URL rejected|bad\/illegal format|failed to parse URL|only absolute URLs/i,
    /unsupported protocol|missing protocol scheme|missing an 'http:\/\/'|no connection adapters|InvalidSchema|MissingSchema/i,
    /expected URL scheme|first path segment in URL|URI with undefined scheme|no protocol:|relative URL without a base/i,
    /curl: \((?:1|3)\)/,
  ],
  tls_port: [/plain HTTP request was sent to HTTPS port|sent an HTTP request to an HTTPS server/i],
  plain_port: [
    /WRONG.VERSION.NUMBER|SSL_ERROR_RX|packet length too long|ERR_SSL_PACKET_LENGTH|record layer failure/i,
    /ERR_SSL_PROTOCOL_ERROR|first record does not look like a TLS|server gave HTTP response to HTTPS client/i,
    /unrecognized SSL message|InvalidContentType|received corrupt message/i,
  ],
  certificate_expired: [
    /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|certificate (?:has )?expired|ERR_CERT_DATE_INVALID|CertificateExpiredException/i,
  ],
  certificate_of_other_host: [
    /ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate|hostname mismatch|ERR_CERT_COMMON_NAME_INVALID/i,
    /certificate is (?:not )?valid for|SSLPeerUnverified|no alternative certificate subject|No subject alternative/i,
    /curl: \(51\)|hostname '[^'\n]{1,200}' doesn't match/i,
  ],
  certificate: [
    /\bCERT_|_CERT\b|_CERT_|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|PKIX path|x509:|ERR_CERT/i,
    /certificate (?:verify|has|is|signed|problem|chain|required|unknown|not|error|authority)|certificate_unknown/i,
    /(?:self.?signed|untrusted|invalid|bad|unknown|issuer|first|root|peer) certificate|证书(?:不|无效|错误|验证|校验)|(?:不受信任|无效|自签名)的?证书/i,
    /curl: \((?:60|77|83)\)/,
  ],
  tls: [
    /ERR_SSL|\bEPROTO\b|SSL_ERROR|handshake.failure|SSLHandshake|SSL handshake|TLS handshake|tlsv1 alert|SSL(?:V3)?.ALERT/i,
    /\[SSL\]|SSL: |SSLError|SSLException|curl: \((?:35|53|58|59|64|66|80)\)|ERR_TLS/i,
  ],
  proxy: [
    /ProxyError|cannot connect to proxy|tunneling socket|ERR_PROXY|ERR_TUNNEL|proxyconnect|CONNECT tunnel failed/i,
    /tunnel connection failed|could not resolve proxy|Proxy Authentication Required|curl: \((?:5|97)\)|unknown scheme for proxy/i,
  ],
  websocket: [/connect to websocket|websocket[^\n]{0,80}(?:426|HTTP error|failed)|426 Upgrade Required/i],
  redirected: [
    /too ?many ?redirects|ERR_TOO_MANY_REDIRECTS|exceeded \d{1,3} redirects|stopped after \d{1,3} redirects/i,
    /maximum (?:\(\d{1,3}\) )?redirects|redirect count exceeded|unexpected redirect|curl: \(47\)/i,
  ],
  lookup_failed: [/EAI_AGAIN|temporary failure in name resolution|server misbehaving|DnsNameResolverTimeout/i],
  unknown_host: [
    /ENOTFOUND|EAI_NONAME|EAI_NODATA|getaddrinfo|could not resolve host|name or service not known|no such host/i,
    /ERR_NAME_NOT|nodename nor servname|UnknownHost|failed to resolve|NameResolutionError|No address associated/i,
    /failed to lookup address|dns error|curl: \(6\)|找不到(?:该)?主机/i,
  ],
  unreachable: [
    /ETIMEDOUT|CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH|no route to host|network is unreachable|connection timed out/i,
    /ConnectTimeout|connect timed out|dial tcp [^\n]{0,200}i\/o timeout|ERR_CONNECTION_TIMED_OUT|ERR_ADDRESS_UNREACHABLE/i,
    /ERR_INTERNET_DISCONNECTED|WinError 100(?:60|51|65)|Connection timeout to host|Failed to connect [^\n]{0,200}timed out/i,
  ],
  refused: [
    /ECONNREFUSED|connection ?refused|actively refused|ERR_CONNECTION_REFUSED|WinError 10061|curl: \(7\)|拒绝连接/i,
    /failed to connect to (?!websocket)\S{1,200} port \d|(?:could not|couldn't) connect to server|connect call failed/i,
  ],
  read_timeout: [
    /ReadTimeout|read timed out|UND_ERR_(?:HEADERS|BODY)_TIMEOUT|(?:headers|body) timeout error|ESOCKETTIMEDOUT/i,
    /request timed out|APITimeoutError|ConnectionTimeoutError|timeout of \d{1,9} ?ms exceeded|deadline exceeded/i,
    /Client\.Timeout|SocketTimeout|HttpTimeout|timed out waiting|operation (?:has )?timed out|TimeoutError|ECONNABORTED/i,
    /curl: \(28\)|aborted due to timeout|(?:请求|响应|连接)超时|request timeout/i,
  ],
  cross_site: [/CORS policy|Mixed Content|Access-Control-Allow|has been blocked by CORS|跨域/i],
  not_a_gateway: [
    /<!doctype html|<html|Unexpected token '?<|invalid character '<'|body is an HTML page|content-type:? "?(?:text\/)?html/i,
    /Attempt to decode JSON with unexpected mimetype: text\/html|返回了 ?HTML/i,
  ],
  cut: [
    /ECONNRESET|UND_ERR_SOCKET|\bHPE_|socket hang up|connection reset|RemoteProtocolError|disconnected before|\bEPIPE\b/i,
    /empty reply from server|server disconnected|RemoteDisconnected|closed connection without response|IncompleteRead/i,
    /TypeError:? \(?terminated|closed mid-response|incomplete chunked|ClientPayloadError|unexpected EOF|: EOF\b|Premature close/i,
    /ERR_EMPTY_RESPONSE|ERR_CONNECTION_(?:RESET|CLOSED|ABORTED)|ERR_INCOMPLETE_CHUNKED|ERR_HTTP2|stream was reset/i,
    /connection aborted|forcibly closed|other side closed|unexpected end of stream|broken pipe|connection closed/i,
    /curl: \((?:16|18|52|55|56|92|95)\)|连接(?:被|已)(?:重置|中断|关闭)/i,
  ],
  not_json: [
    /Expecting value: line 1|JSONDecodeError|unexpected end of JSON|is not valid JSON|invalid JSON response/i,
    /looking for beginning of value|error decoding response body|JsonParseException|unexpected mimetype/i,
  ],
  no_connection: [
    /connection error\b|APIConnectionError|fetch failed|failed to fetch|network error|ERR_NETWORK|NetworkError|load failed/i,
    /all connection attempts failed|cannot connect to host|max retries exceeded|error sending request|tcp connect error/i,
    /unable to connect|ConnectError|ConnectException|failed to establish a new connection|ERR_CONNECTION_FAILED|ERR_FAILED/i,
    /failed to connect\b(?! to websocket)|error trying to connect|(?:连接|网络)(?:错误|失败|异常)|无法连接/i,
  ],
}

/** Every kind: the first whose pattern fits is the one. */
export const CONNECTION_FAILURES = Object.keys(PATTERNS) as readonly ConnectionFailure[]
