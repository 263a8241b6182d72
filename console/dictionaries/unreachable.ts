/** Why an address did not answer over HTTP, for the dictionaries of those who ask one. */
export const UNREACHABLE_EN = {
  host_unknown: 'The host name can’t be found. Check the spelling.',
  unreachable: 'No connection could be made. Check the address and the port, and whether the gateway can reach it.',
  tls_failed:
    'No secure connection could be made. Check its certificate, and whether the URL starts with http:// instead.',
  not_http: 'The response isn’t HTTP. Check the port, and whether the URL starts with https:// instead.',
}

export const UNREACHABLE_ZH_CN: typeof UNREACHABLE_EN = {
  host_unknown: '找不到该主机名。请检查拼写。',
  unreachable: '无法建立连接。请检查地址和端口，以及网关能否访问该地址。',
  tls_failed: '无法建立安全连接。请检查其证书，以及 URL 是否应以 http:// 开头。',
  not_http: '返回的内容不是 HTTP。请检查端口，以及 URL 是否应以 https:// 开头。',
}
