import type { Explanation } from './explanation.ts'

/** What a status alone says, and which part of the response says more. `status`: 300 to 599. */
export function explainStatus(status: number, language: 'en' | 'zh'): Explanation {
  const words = Object.hasOwn(STATUSES, status) ? STATUSES[status] : undefined
  const { [language]: of } = words ?? generalOf(status)
  const { cause, remedy } = of
  const more = language === 'en' ? MORE_EN : MORE_ZH
  return { cause: cause.replace('$', String(status)), remedy: language === 'en' ? `${remedy} ${more}` : remedy + more }
}

/** The gateway answers with many of these as well, and says more in each. */
const MORE_EN =
  'This gateway names the reason in the response: paste the whole body, the header x-tollgate-fault or the request ID.'
const MORE_ZH = '本网关会在响应中写明原因：请粘贴完整的响应内容、响应头 x-tollgate-fault 或请求 ID。'

interface Words {
  readonly en: Explanation
  readonly zh: Explanation
}

function generalOf(status: number): Words {
  if (status < 400) return REDIRECTED
  return status < 500 ? REFUSED : FAILED
}

const REDIRECTED: Words = {
  en: {
    cause: 'Status $: the address redirects.',
    remedy: 'Enter the address that it redirects to as the base URL; often http:// has to be https://.',
  },
  zh: {
    cause: '状态码 $：该地址会重定向。',
    remedy: '请把重定向的目标地址填为 Base URL；通常是把 http:// 改为 https://。',
  },
}
const REFUSED: Words = {
  en: { cause: 'Status $: the request was refused.', remedy: 'Check the base URL.' },
  zh: { cause: '状态码 $：请求被拒绝。', remedy: '请检查 Base URL。' },
}
const FAILED: Words = {
  en: { cause: 'Status $: the server failed to answer the request.', remedy: 'Try again, and check the base URL.' },
  zh: { cause: '状态码 $：服务端未能处理该请求。', remedy: '请重试，并检查 Base URL。' },
}
const CLOUDFLARE: Words = {
  en: {
    cause: 'Status $: Cloudflare got no proper response from the server behind it.',
    remedy: 'Check that the server behind Cloudflare runs and can be reached from there.',
  },
  zh: {
    cause: '状态码 $：Cloudflare 没有从其后端服务器收到正常的响应。',
    remedy: '请确认 Cloudflare 后面的服务器正在运行，且可以被访问。',
  },
}
const TOO_SLOW: Words = {
  en: {
    cause: 'Status $: something on the way stopped waiting for the response.',
    remedy: 'Stream the response, or raise the timeout of the proxy in front of the gateway.',
  },
  zh: {
    cause: '状态码 $：中间的某个服务不再等待响应。',
    remedy: '请使用流式响应，或调大网关前面的代理的超时时间。',
  },
}

const STATUSES: Readonly<Record<number, Words>> = {
  400: {
    en: {
      cause: 'Status $: the request is not valid for what answered.',
      remedy: 'The response says which field it is about.',
    },
    zh: { cause: '状态码 $：请求内容不符合要求。', remedy: '响应内容会说明是哪个字段。' },
  },
  401: {
    en: {
      cause: 'Status $: the API key was refused, or none arrived.',
      remedy: 'Check that the client sends an API key of this gateway, whole, to the base URL of this gateway.',
    },
    zh: {
      cause: '状态码 $：API 密钥被拒绝，或没有收到密钥。',
      remedy: '请确认客户端把本网关的完整 API 密钥发送到了本网关的 Base URL。',
    },
  },
  402: {
    en: {
      cause: 'Status $: there is not enough money for the request.',
      remedy: 'Add credit, or raise the quota of the key.',
    },
    zh: { cause: '状态码 $：余额或额度不足。', remedy: '请充值，或提高密钥的额度。' },
  },
  403: {
    en: {
      cause: 'Status $: the request is not allowed.',
      remedy:
        'The key may lack the model, the group or the address, or something in front of the gateway blocks the request.',
    },
    zh: {
      cause: '状态码 $：该请求不被允许。',
      remedy: '密钥可能无权使用该模型、分组或来源地址，也可能是网关前面的服务拦截了请求。',
    },
  },
  404: {
    en: {
      cause: 'Status $: there is nothing at that path, or no such model.',
      remedy: 'Compare the base URL, above all whether it ends in /v1, and the name of the model.',
    },
    zh: {
      cause: '状态码 $：该路径不存在，或没有该模型。',
      remedy: '请核对 Base URL（尤其是结尾的 /v1）和模型名称。',
    },
  },
  405: {
    en: {
      cause: 'Status $: the path does not take this method.',
      remedy:
        'The client calls another endpoint than it should, or a redirect made a GET of its POST: check the base URL.',
    },
    zh: {
      cause: '状态码 $：该路径不接受此请求方法。',
      remedy: '客户端调用了错误的端点，或重定向把 POST 变成了 GET：请检查 Base URL。',
    },
  },
  407: {
    en: {
      cause: 'Status $: a network proxy asks for a sign-in.',
      remedy: 'Check HTTPS_PROXY and its user name and password.',
    },
    zh: { cause: '状态码 $：网络代理要求登录。', remedy: '请检查 HTTPS_PROXY 及其用户名和密码。' },
  },
  408: TOO_SLOW,
  409: {
    en: { cause: 'Status $: the request conflicts with another one.', remedy: 'Try again in a moment.' },
    zh: { cause: '状态码 $：该请求与另一个请求冲突。', remedy: '请稍后重试。' },
  },
  413: {
    en: {
      cause: 'Status $: the request is too large.',
      remedy:
        'Send less, such as fewer or smaller pictures, or raise the limit of the proxy in front of the gateway (nginx: client_max_body_size).',
    },
    zh: {
      cause: '状态码 $：请求过大。',
      remedy: '请减少发送的内容（例如图片），或调大网关前面的代理的限制（nginx：client_max_body_size）。',
    },
  },
  415: {
    en: { cause: 'Status $: the content type is not accepted.', remedy: 'Send content-type: application/json.' },
    zh: { cause: '状态码 $：不接受该内容类型。', remedy: '请发送 content-type: application/json。' },
  },
  422: {
    en: {
      cause: 'Status $: a field of the request is not accepted.',
      remedy: 'The response says which field it is about.',
    },
    zh: { cause: '状态码 $：请求中的某个字段不被接受。', remedy: '响应内容会说明是哪个字段。' },
  },
  426: {
    en: {
      cause: 'Status $: the client asked for a WebSocket, and this gateway serves HTTP only.',
      remedy: 'Let the client use HTTP with streaming; Codex falls back to it by itself.',
    },
    zh: {
      cause: '状态码 $：客户端请求使用 WebSocket，而本网关只提供 HTTP。',
      remedy: '请让客户端使用 HTTP 流式请求；Codex 会自动改用 HTTP。',
    },
  },
  429: {
    en: { cause: 'Status $: too many requests, or a limit is used up.', remedy: 'Wait as long as retry-after says.' },
    zh: { cause: '状态码 $：请求过多，或已达到限制。', remedy: '请按 retry-after 的时间等待后重试。' },
  },
  431: {
    en: {
      cause: 'Status $: the headers of the request are too large.',
      remedy: 'Send fewer or shorter headers and cookies.',
    },
    zh: { cause: '状态码 $：请求头过大。', remedy: '请减少请求头和 Cookie。' },
  },
  451: {
    en: {
      cause: 'Status $: not available where the request comes from.',
      remedy: 'Check which server the base URL leads to.',
    },
    zh: { cause: '状态码 $：请求来源地区不可用。', remedy: '请检查 Base URL 指向的服务器。' },
  },
  499: {
    en: {
      cause: 'Status $: the client ended the request before the response was complete.',
      remedy: 'Raise the timeout of the client, or stream the response.',
    },
    zh: { cause: '状态码 $：客户端在响应完成前结束了请求。', remedy: '请调大客户端的超时时间，或使用流式响应。' },
  },
  500: FAILED,
  502: {
    en: {
      cause: 'Status $: a response was expected from another server, and none that could be used came.',
      remedy:
        'With a request ID of this gateway it was the model’s provider. Without one, a proxy in front cannot reach the gateway.',
    },
    zh: {
      cause: '状态码 $：没有从另一台服务器收到可用的响应。',
      remedy: '如果有本网关的请求 ID，问题出在模型的服务商；如果没有，则是网关前面的代理无法访问网关。',
    },
  },
  503: {
    en: {
      cause: 'Status $: what was asked for is not available right now.',
      remedy:
        'With a request ID of this gateway, the model is busy or cannot be reached: try again in a moment. Without one, a proxy in front cannot reach the gateway.',
    },
    zh: {
      cause: '状态码 $：请求的服务目前不可用。',
      remedy: '如果有本网关的请求 ID，说明模型繁忙或无法访问，请稍后重试；如果没有，则是网关前面的代理无法访问网关。',
    },
  },
  504: TOO_SLOW,
  ...Object.fromEntries([520, 521, 523, 525, 526, 527, 530].map((status) => [status, CLOUDFLARE])),
  522: CLOUDFLARE,
  524: TOO_SLOW,
  529: {
    en: {
      cause: 'Status $: the provider of the model is overloaded.',
      remedy: 'Try again in a moment, or use another model.',
    },
    zh: { cause: '状态码 $：模型的服务商过载。', remedy: '请稍后重试，或改用其他模型。' },
  },
}
