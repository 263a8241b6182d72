import type { AttemptObstacle } from '../../src/contract/attempt-obstacle.ts'

/** Why an address did not answer over HTTP, for the dictionaries of those who ask one. */
export const UNREACHABLE_EN = {
  host_unknown: 'The host name can’t be found. Check the spelling.',
  connection_refused: 'Nothing listens at this address. Check the host and the port.',
  connection_closed: 'The connection was closed before a response arrived.',
  connect_timeout: 'No connection could be made in time. Check the address, and whether the gateway can reach it.',
  proxy_failed: 'The proxy couldn’t be reached, or isn’t one of this kind. Check its address.',
  proxy_login: 'The proxy requires a login, or refused it (407). Check the user name and password in its address.',
  proxy_refused: 'The proxy doesn’t allow connections to this upstream. Allow the upstream’s host and port there.',
  proxy_no_route: 'The proxy couldn’t reach this upstream. Check the base URL, and what the proxy can reach.',
  certificate_expired: 'The certificate has expired.',
  certificate_untrusted: 'The certificate isn’t signed by a trusted authority.',
  certificate_of_other_host: 'The certificate is for another host name.',
  not_tls: 'This port doesn’t speak TLS. Check the port, and whether the URL starts with http:// instead.',
  tls_failed: 'No secure connection could be made. Check the certificate and the TLS versions of the server.',
  not_http: 'The response isn’t HTTP. Check the port, and whether the URL starts with https:// instead.',
  unreachable: 'No connection could be made. Check the address and the port, and whether the gateway can reach it.',
}

export const UNREACHABLE_ZH_CN: typeof UNREACHABLE_EN = {
  host_unknown: '找不到该主机名。请检查拼写。',
  connection_refused: '该地址没有服务在监听。请检查主机和端口。',
  connection_closed: '连接在收到响应之前被关闭。',
  connect_timeout: '连接超时。请检查地址，以及网关能否访问该地址。',
  proxy_failed: '无法连接代理，或其类型不符。请检查代理的地址。',
  proxy_login: '代理要求登录，或拒绝了用户名和密码（407）。请检查代理地址中的用户名和密码。',
  proxy_refused: '代理不允许连接此上游。请在代理中放行该上游的主机和端口。',
  proxy_no_route: '代理无法连接此上游。请检查基础 URL，以及代理能否访问它。',
  certificate_expired: '证书已过期。',
  certificate_untrusted: '证书不是由受信任的机构签发的。',
  certificate_of_other_host: '证书属于另一个主机名。',
  not_tls: '该端口不使用 TLS。请检查端口，以及 URL 是否应以 http:// 开头。',
  tls_failed: '无法建立安全连接。请检查服务器的证书和 TLS 版本。',
  not_http: '返回的内容不是 HTTP。请检查端口，以及 URL 是否应以 https:// 开头。',
  unreachable: '无法建立连接。请检查地址和端口，以及网关能否访问该地址。',
}

/** Each obstacle in a word or two, for a title. */
export const OBSTACLES_EN: Readonly<Record<AttemptObstacle, string>> = {
  host_unknown: 'host not found',
  connection_refused: 'connection refused',
  connection_closed: 'connection closed',
  connect_timeout: 'connection timed out',
  proxy_failed: 'proxy unreachable',
  proxy_login: 'proxy login rejected',
  proxy_refused: 'blocked by the proxy',
  proxy_no_route: 'no route from the proxy',
  certificate_expired: 'certificate expired',
  certificate_untrusted: 'certificate untrusted',
  certificate_of_other_host: 'certificate for another host',
  not_tls: 'no TLS on this port',
  tls_failed: 'TLS failed',
  not_http: 'no HTTP on this port',
  unreachable: 'no connection',
  redirect: 'redirects elsewhere',
}

export const OBSTACLES_ZH_CN: typeof OBSTACLES_EN = {
  host_unknown: '找不到主机',
  connection_refused: '连接被拒绝',
  connection_closed: '连接被关闭',
  connect_timeout: '连接超时',
  proxy_failed: '代理无法连接',
  proxy_login: '代理拒绝登录',
  proxy_refused: '被代理拦截',
  proxy_no_route: '代理无法到达',
  certificate_expired: '证书已过期',
  certificate_untrusted: '证书不受信任',
  certificate_of_other_host: '证书属于另一个主机名',
  not_tls: '端口不使用 TLS',
  tls_failed: 'TLS 握手失败',
  not_http: '端口不使用 HTTP',
  unreachable: '无法建立连接',
  redirect: '重定向到其他地址',
}

/** Why an attempt of a request had no answer: an obstacle of above, or a redirect. `to`: scheme and host of its target. */
export function obstacleEn(why: AttemptObstacle, to: string | null): string {
  if (why !== 'redirect') return UNREACHABLE_EN[why]
  return `The base URL redirects${to === null ? '' : ` to ${to}`}. Enter the URL that it redirects to.`
}

export function obstacleZhCn(why: AttemptObstacle, to: string | null): string {
  if (why !== 'redirect') return UNREACHABLE_ZH_CN[why]
  return `Base URL 会重定向${to === null ? '' : `到 ${to}`}。请填写重定向后的地址。`
}
