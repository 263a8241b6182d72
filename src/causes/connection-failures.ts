import type { Explanation } from './explanation.ts'

/** A request that no gateway answered, by what its client said. */
export type ConnectionFailure = keyof typeof FAILURES

interface Failure {
  /** Codes and words of curl, Node, Python, Go and browsers. */
  readonly pattern: RegExp
  readonly en: Explanation
  readonly zh: Explanation
}

/** The one that the text reports; null: none. `text`: an error's message, or its code alone. */
export function connectionFailureIn(text: string): ConnectionFailure | null {
  return CONNECTION_FAILURES.find((name) => FAILURES[name].pattern.test(text)) ?? null
}

/** Whether this is the name of one. */
export function isConnectionFailure(text: string): text is ConnectionFailure {
  return Object.hasOwn(FAILURES, text)
}

/** What it means and what to do, in the reader's language. */
export function explainFailure(failure: ConnectionFailure, language: 'en' | 'zh'): Explanation {
  return FAILURES[failure][language]
}

/** The more particular before the more general. */
const FAILURES = {
  plain_port: {
    pattern: /ERR_SSL|EPROTO|wrong version number|SSL_ERROR_RX|packet length too long|record layer failure/i,
    en: {
      cause: 'That port does not speak TLS.',
      remedy: 'Use http:// instead of https://, or a port that serves TLS.',
    },
    zh: { cause: '该端口不使用 TLS。', remedy: '请把 https:// 改为 http://，或改用提供 TLS 的端口。' },
  },
  certificate: {
    pattern: /CERT|SELF_SIGNED|UNABLE_TO_|certificate|SSL: |x509/i,
    en: {
      cause: 'The client does not trust the certificate at that address.',
      remedy: 'Fix the certificate, or make the client trust its authority (NODE_EXTRA_CA_CERTS, SSL_CERT_FILE).',
    },
    zh: {
      cause: '客户端不信任该地址的证书。',
      remedy: '请修复证书，或向客户端指定颁发机构（NODE_EXTRA_CA_CERTS、SSL_CERT_FILE）。',
    },
  },
  refused: {
    pattern: /ECONNREFUSED|connection refused|failed to connect|actively refused|ERR_CONNECTION_REFUSED/i,
    en: {
      cause: 'Nothing listens at that address.',
      remedy: 'Start the gateway, and check host and port. Inside a container, localhost is the container itself.',
    },
    zh: {
      cause: '该地址上没有服务在监听。',
      remedy: '请启动网关，并检查主机和端口。在容器内，localhost 指的是容器自身。',
    },
  },
  unknown_host: {
    pattern: /ENOTFOUND|EAI_AGAIN|getaddrinfo|could not resolve|name or service not known|no such host|ERR_NAME_NOT/i,
    en: { cause: 'This host name does not exist where the client runs.', remedy: 'Correct the host in the base URL.' },
    zh: { cause: '客户端所在的环境中不存在该主机名。', remedy: '请更正 Base URL 中的主机名。' },
  },
  unreachable: {
    pattern: /ETIMEDOUT|CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH|no route to host|connection timed out|TimeoutError/i,
    en: {
      cause: 'The address cannot be reached from where the client runs.',
      remedy: 'Check the network and any firewall between the client and the gateway.',
    },
    zh: { cause: '客户端所在的环境无法访问该地址。', remedy: '请检查客户端与网关之间的网络和防火墙。' },
  },
  cross_site: {
    pattern: /CORS policy|Mixed Content|Access-Control-Allow/i,
    en: {
      cause: 'The browser blocked the request before or after it was sent.',
      remedy:
        'From a page with https://, call the gateway over https:// as well. The gateway itself allows every origin: a response without that permission comes from something in front of it.',
    },
    zh: {
      cause: '浏览器拦截了该请求。',
      remedy:
        '在 https:// 页面中，请同样以 https:// 访问网关。网关本身允许所有来源：缺少该许可的响应来自网关前面的服务。',
    },
  },
  not_a_gateway: {
    pattern: /<!doctype html|<html|Unexpected token '?<|invalid character '<'/i,
    en: {
      cause: 'A web page came back instead of an API response.',
      remedy:
        'The base URL leads to a web page, such as this console, or to something in front of the gateway. Enter the base URL below.',
    },
    zh: {
      cause: '返回的是网页，而不是 API 响应。',
      remedy: 'Base URL 指向了网页（例如本控制台）或网关前面的服务。请填写下面的 Base URL。',
    },
  },
  cut: {
    pattern:
      /ECONNRESET|UND_ERR_SOCKET|HPE_|socket hang up|connection reset|RemoteProtocolError|disconnected before|EPIPE/i,
    en: {
      cause: 'The connection closed before the response was complete.',
      remedy:
        'Look the request up by its ID: its record says which side ended it. Without a record, that address does not speak HTTP, or expects https://.',
    },
    zh: {
      cause: '连接在响应完成之前已关闭。',
      remedy: '请用请求 ID 查询：记录会说明是哪一方结束的。如果没有记录，则该地址不使用 HTTP，或需要 https://。',
    },
  },
} as const satisfies Record<string, Failure>

const CONNECTION_FAILURES = Object.keys(FAILURES) as ConnectionFailure[]
