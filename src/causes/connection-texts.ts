import type { Explanation } from './explanation.ts'

/** What each failed connection means and what to do about it. */
const FAILURE_TEXTS = {
  no_key: {
    en: {
      cause: 'The client has no API key, so nothing was sent.',
      remedy:
        'Put an API key of this gateway into the setting or environment variable that the message names, and start the client from where that variable is set. Codex takes the name of the variable as env_key, not the key itself.',
    },
    zh: {
      cause: '客户端没有 API 密钥，因此没有发出请求。',
      remedy:
        '请把本网关的 API 密钥填入错误信息提到的设置或环境变量，并在设置了该变量的终端中启动客户端。Codex 的 env_key 填的是变量名，而不是密钥本身。',
    },
  },
  own_login: {
    en: {
      cause: 'The client asks you to sign in to its own provider.',
      remedy:
        'With this gateway it needs no sign-in: set the base URL and an API key of this gateway, and restart it. If both are set already, paste the error that stands above this line: it says what was refused.',
    },
    zh: {
      cause: '客户端要求登录其自己的服务商。',
      remedy:
        '使用本网关时无需登录：请设置 Base URL 和本网关的 API 密钥，然后重启客户端。如果两者都已设置，请粘贴这一行上方的错误信息，其中说明了被拒绝的内容。',
    },
  },
  bad_url: {
    en: {
      cause: 'The base URL in the client is not a valid URL, so nothing was sent.',
      remedy: 'Enter it in full, with http:// or https:// and without spaces, quotation marks or an empty variable.',
    },
    zh: {
      cause: '客户端中的 Base URL 不是有效的 URL，因此没有发出请求。',
      remedy: '请填写完整的地址，以 http:// 或 https:// 开头，不要带空格、引号或未赋值的变量。',
    },
  },
  tls_port: {
    en: { cause: 'That port expects TLS.', remedy: 'Use https:// instead of http:// in the base URL.' },
    zh: { cause: '该端口需要使用 TLS。', remedy: '请把 Base URL 中的 http:// 改为 https://。' },
  },
  plain_port: {
    en: {
      cause: 'That port does not speak TLS.',
      remedy: 'Use http:// instead of https://, or a port that serves TLS.',
    },
    zh: { cause: '该端口不使用 TLS。', remedy: '请把 https:// 改为 http://，或改用提供 TLS 的端口。' },
  },
  certificate_expired: {
    en: {
      cause: 'The certificate at that address has expired or is not valid yet.',
      remedy: 'Renew the certificate. If it is in date, correct the clock of the machine that the client runs on.',
    },
    zh: {
      cause: '该地址的证书已过期或尚未生效。',
      remedy: '请更新证书；如果证书在有效期内，请校正客户端所在机器的时间。',
    },
  },
  certificate_of_other_host: {
    en: {
      cause: 'The certificate at that address is for another host name.',
      remedy: 'Use the host name that the certificate is for in the base URL, or get a certificate for this one.',
    },
    zh: {
      cause: '该地址的证书属于另一个主机名。',
      remedy: '请在 Base URL 中使用证书对应的主机名，或为当前主机名申请证书。',
    },
  },
  certificate: {
    en: {
      cause: 'The client does not trust the certificate at that address.',
      remedy: 'Fix the certificate, or make the client trust its authority (NODE_EXTRA_CA_CERTS, SSL_CERT_FILE).',
    },
    zh: {
      cause: '客户端不信任该地址的证书。',
      remedy: '请修复证书，或向客户端指定颁发机构（NODE_EXTRA_CA_CERTS、SSL_CERT_FILE）。',
    },
  },
  tls: {
    en: {
      cause: 'No secure connection could be made to that address.',
      remedy:
        'Check that the port serves TLS (otherwise use http://), and that client and server share a version of it. A network proxy in between can break it as well.',
    },
    zh: {
      cause: '无法与该地址建立安全连接。',
      remedy:
        '请确认该端口提供 TLS（否则请使用 http://），且客户端与服务端支持相同的 TLS 版本。中间的网络代理也可能造成此问题。',
    },
  },
  proxy: {
    en: {
      cause: 'The network proxy that the client uses failed.',
      remedy:
        'Check HTTPS_PROXY and HTTP_PROXY where the client runs. To reach the gateway without the proxy, add its host to NO_PROXY.',
    },
    zh: {
      cause: '客户端使用的网络代理出错。',
      remedy: '请检查客户端环境中的 HTTPS_PROXY 和 HTTP_PROXY。如需绕过代理访问网关，请把网关的主机名加入 NO_PROXY。',
    },
  },
  websocket: {
    en: {
      cause: 'The client tried a WebSocket, and this gateway serves HTTP only.',
      remedy:
        'Codex goes on over HTTP by itself, so this line alone is not a failure. If no response follows, paste the error that comes after it.',
    },
    zh: {
      cause: '客户端尝试使用 WebSocket，而本网关只提供 HTTP。',
      remedy: 'Codex 会自动改用 HTTP，仅有这一行并不表示失败。如果之后没有响应，请粘贴其后的错误信息。',
    },
  },
  redirected: {
    en: {
      cause: 'The address redirects over and over.',
      remedy:
        'Enter the address that it finally leads to, with the right scheme. In front of the gateway, do not redirect the paths of the API.',
    },
    zh: {
      cause: '该地址不断重定向。',
      remedy: '请填写最终的地址并使用正确的协议（http 或 https）。网关前面的服务不应重定向 API 路径。',
    },
  },
  lookup_failed: {
    en: {
      cause: 'The host name could not be looked up where the client runs.',
      remedy: 'Check the DNS of that machine or container and try again. If other hosts work, correct the host name.',
    },
    zh: {
      cause: '客户端所在的环境暂时无法解析该主机名。',
      remedy: '请检查该机器或容器的 DNS 后重试；如果其他主机正常，请更正主机名。',
    },
  },
  unknown_host: {
    en: { cause: 'This host name does not exist where the client runs.', remedy: 'Correct the host in the base URL.' },
    zh: { cause: '客户端所在的环境中不存在该主机名。', remedy: '请更正 Base URL 中的主机名。' },
  },
  unreachable: {
    en: {
      cause: 'The address cannot be reached from where the client runs.',
      remedy: 'Check the network and any firewall between the client and the gateway.',
    },
    zh: { cause: '客户端所在的环境无法访问该地址。', remedy: '请检查客户端与网关之间的网络和防火墙。' },
  },
  refused: {
    en: {
      cause: 'Nothing listens at that address.',
      remedy: 'Start the gateway, and check host and port. Inside a container, localhost is the container itself.',
    },
    zh: {
      cause: '该地址上没有服务在监听。',
      remedy: '请启动网关，并检查主机和端口。在容器内，localhost 指的是容器自身。',
    },
  },
  read_timeout: {
    en: {
      cause: 'The client gave up waiting: its own timeout ended the request.',
      remedy:
        'If the request has a record under Usage, raise the timeout of the client, or stream the response. If it has none, it never arrived: check the base URL and the network.',
    },
    zh: {
      cause: '客户端不再等待：请求因客户端自身的超时而结束。',
      remedy:
        '如果“用量”中有该请求的记录，请调大客户端的超时时间，或使用流式响应；如果没有记录，说明请求没有到达，请检查 Base URL 和网络。',
    },
  },
  cross_site: {
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
  not_json: {
    en: {
      cause: 'What came back is not an API response.',
      remedy:
        'Check the base URL: /v1 may be missing, or something in front of the gateway answers. To see what came back, call the address with curl -i and paste its output.',
    },
    zh: {
      cause: '返回的内容不是 API 响应。',
      remedy:
        '请检查 Base URL：可能缺少 /v1，或由网关前面的服务作出了响应。可用 curl -i 访问该地址，并粘贴其输出以查看返回的内容。',
    },
  },
  no_connection: {
    en: {
      cause: 'The client got no connection, and these words do not say why.',
      remedy:
        'Check the base URL. Then paste the whole error, with what stands after "cause" or "Caused by", or the output of curl -v for the same address: it names the reason.',
    },
    zh: {
      cause: '客户端未能建立连接，但这段文字没有说明原因。',
      remedy:
        '请先检查 Base URL，然后粘贴完整的错误信息（包括 cause 或 Caused by 之后的内容），或 curl -v 访问同一地址的输出，其中会写明原因。',
    },
  },
} as const satisfies Record<string, { readonly en: Explanation; readonly zh: Explanation }>

/** A request that no gateway answered, by what its client said. */
export type ConnectionFailure = keyof typeof FAILURE_TEXTS

/** What it means and what to do, in the reader's language. */
export function explainFailure(failure: ConnectionFailure, language: 'en' | 'zh'): Explanation {
  return FAILURE_TEXTS[failure][language]
}
