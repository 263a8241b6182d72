import type { FaultFacts } from '../core/fact-values.ts'
import { type Explanation, isZeroLimit, roughWait } from './explanation.ts'

/** Explains a limit in counts or in money, in Chinese. */
export function limited(facts: FaultFacts, time: (text: string) => string): Explanation | null {
  const { limit, scope, max, used, wait_s: wait, part, nodes, window } = facts
  const isAccount = scope === 'account'
  const who = isAccount ? '此账户的全部密钥' : '此密钥'
  if (limit === 'spend') {
    if (facts.limit_usd === undefined) return null
    const remedy = isAccount ? '请联系管理员提高账户的消费上限' : '请提高密钥的消费上限，或换用其他密钥'
    const left =
      facts.needed_usd === undefined
        ? '现已用完'
        : `目前剩余 $${facts.left_usd ?? '0'}，而本次请求最多可能花费 $${facts.needed_usd}`
    return {
      cause: `${who}在 ${window ?? '该周期'} 内最多可消费 $${facts.limit_usd}，${left}。${resets(facts, time)}`,
      remedy: `${remedy}${isZeroLimit(facts) ? '。' : '，也可以发送更小的请求。'}${affordable(facts)}`,
    }
  }
  if (limit === undefined || max === undefined) return null
  const raise = isAccount ? '联系管理员提高账户的限制' : '提高密钥的限制'
  if (max === 0) {
    const what = limit === 'concurrency' ? '并发请求数' : limit === 'tokens' ? '每分钟 Token 数' : '每分钟请求数'
    return { cause: `${who}的${what}限制为 0，因此无法使用。`, remedy: `请${raise}。` }
  }
  const shared = nodes === undefined || part === undefined ? '' : `该限制由 ${nodes} 个节点分担，本节点占 ${part}。`
  if (limit === 'concurrency') {
    return {
      cause: `${who}最多可同时运行 ${max} 个请求，目前有 ${used ?? max} 个正在运行。${shared}`,
      remedy: `${part === 0 ? '请重试，其他节点可能可以处理' : '请等待其中一个结束'}，或${raise}。`,
    }
  }
  const unit = limit === 'tokens' ? ' 个 Token' : ' 次请求'
  const asked =
    facts.input_tokens === undefined
      ? ''
      : `，而本次请求约有 ${facts.input_tokens} 个输入 Token，最多会输出 ${facts.output_tokens ?? 0} 个`
  return {
    cause: `${who}每分钟最多可使用 ${max}${unit}，最近一分钟已用 ${used ?? 0}${asked}。${shared}`,
    remedy:
      wait === undefined
        ? `在此限制下无法处理本次请求。请${limit === 'tokens' ? `将输入减少到 ${part ?? max} 个 Token 以内，或` : ''}${raise}。`
        : `请在 ${wait} 秒后重试，或${raise}。`,
  }
}

export function amounts({ needed_usd: needed, left_usd: left }: FaultFacts, of: string): string {
  return `本次请求最多可能花费 $${needed}，而${of}剩余 $${left ?? '0'}`
}

export function resets(facts: FaultFacts, time: (text: string) => string): string {
  const { resets_at: at, wait_s: wait, window } = facts
  if (isZeroLimit(facts)) return '上限为 $0，等待也不会增加。'
  if (at === undefined) return window === undefined ? '它不会自动重置。' : '其中尚未使用任何额度，等待也不会增加。'
  const rough = wait === undefined ? '' : `（${roughWait(wait, { min: '分钟', h: '小时', days: '天' })}后）`
  return `将于 ${time(at)}${rough}重置。`
}

export function affordable({ affordable_tokens: tokens, input_usd: input, model }: FaultFacts): string {
  if (tokens !== undefined) return `剩余金额约可支付 ${tokens} 个输出 Token，请将输出上限设在此范围内。`
  if (input === undefined) return ''
  return `仅输入部分${model === undefined ? '' : `使用 ${model} `}就约需 $${input}。`
}
