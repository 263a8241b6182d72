import type { Finding, SourceFile } from './source-files.ts'

/** A turn of phrase that a native writer of the language stumbles over, and what is said instead. */
interface Wording {
  readonly say: string
  readonly pattern: RegExp
}

/** Literal nouns for actions, sentences in which only "it" or "what" acts, and verbs that only a translator would choose. */
const ENGLISH: readonly Wording[] = [
  { say: 'no change', pattern: /\bas it is(?=[.'`])/gi },
  { say: 'appears on, is shown on', pattern: /\bstands (on|in|below|above)\b/gi },
  { say: 'we’re still listening, retrying', pattern: /\b(keeps?|goes on|go on) (looking|trying|listening)\b/gi },
  { say: 'check the base URL and the key', pattern: /\bgoes elsewhere\b/gi },
  { say: 'no expiry, never', pattern: /\bno end\b/gi },
  { say: 'total', pattern: /\bin all\b(?! of)/gi },
  { say: 'resets', pattern: /\bstarts over\b/gi },
  { say: 'the connection dropped', pattern: /\bgot lost\b/gi },
  { say: 'enter, paste', pattern: /\btakes the (secret|key)\b/gi },
  { say: 'disconnected', pattern: /\bhung up\b|\bhangs up\b/gi },
  { say: 'notes', pattern: /\bgood to know\b/gi },
  { say: 'what’s next', pattern: /\bwhat next\b/gi },
  { say: 'inbox', pattern: /\bmailbox\b/gi },
  { say: 'random string', pattern: /\briddles?\b/gi },
  { say: 'paid by', pattern: /\bwho paid\b/gi },
  { say: 'exact', pattern: /\bto the last digit\b/gi },
  { say: 'unexpected', pattern: /\bforesaw\b|\bforeseen\b/gi },
  { say: 'damage has a cause: malformed', pattern: /\bis damaged\b/gi },
  { say: 'unknown', pattern: /\bnot (known|said) here\b|\bnot said\b/gi },
  { say: 'is sent in', pattern: /\bbelongs? into\b/gi },
  { say: 'called', pattern: /\bwas asked\b|\basked while\b/gi },
  { say: 'paused until', pattern: /\brests until\b/gi },
  { say: 'no upstream is available', pattern: /\bno upstream answers\b/gi },
  { say: 'isn’t recorded', pattern: /\bin no book\b/gi },
  { say: 'implausible', pattern: /\bare believed\b|\bcan’t be right\b/gi },
  { say: 'needs attention', pattern: /\bneeds you\b/gi },
  { say: 'current', pattern: /\bof now\b/gi },
  { say: 'fully set up', pattern: /\bset up whole\b/gi },
  { say: 'exists, was created', pattern: /\b(is|are) (not )?there(?=[.,:'`])|\bisn’t there\b/gi },
  { say: 'restart every node to apply it', pattern: /\btakes? a restart\b/gi },
  { say: 'Managed in the configuration file. Change it there.', pattern: /\bdeclarative\b|\bfrom the file\b/gi },
  { say: 'no longer', pattern: /\bany ?more\b/gi },
  { say: 'from now on is when: immediately', pattern: /\bfrom then on\b/gi },
  { say: 'in progress', pattern: /\bunder way\b/gi },
  { say: 'at most', pattern: /\bat the most\b/gi },
  { say: 'Leave empty to', pattern: /\bEmpty: |\bLeave it empty\b/g },
  { say: 'one per line', pattern: /\bone a line\b/gi },
  { say: 'shadow rule', pattern: /\bin shadow\b/gi },
  { say: 'ongoing', pattern: /\bnot over\b/gi },
  { say: 'most expensive', pattern: /\bdearest\b(?!:)/gi },
  { say: 'aren’t sent anywhere', pattern: /\bgo(es)? nowhere\b/gi },
  { say: 'An imperative: Enter a number', pattern: /'An? (amount|number|whole number|factor|JSON object)\b[^']*\./g },
  { say: 'immediately', pattern: /\b(stops? working|used again) at once\b/g },
  { say: 'undo', pattern: /\btaken? [^.]*\bback\b/gi },
  { say: 'temporarily', pattern: /\bfor a while\b/gi },
  { say: 'receive', pattern: /\bsends? and gets?\b/gi },
  { say: 'based on last week’s usage', pattern: /\bat last week’s use\b/gi },
]

/** What gives a translation away, and words that mean something else on the mainland. */
const CHINESE: readonly Wording[] = [
  { say: '响应', pattern: /回应/g },
  { say: '服务商', pattern: /提供方/g },
  { say: '验证部分（密文是加密后的内容）', pattern: /密文/g },
  { say: '本站', pattern: /此处(没有|不|未)|这里(没有|不|未)/g },
  { say: '自定义密钥', pattern: /自己填写/g },
  { say: 'IP 白名单', pattern: /来源地址/g },
  { say: '高级设置', pattern: /更多设置/g },
  { say: '调用成功，已接入', pattern: /连通了|已经连通/g },
  { say: '还没有收到请求', pattern: /动静/g },
  { say: '正在自动刷新', pattern: /每秒查看/g },
  { say: '配置信息', pattern: /信息卡/g },
  { say: '注意事项', pattern: /请留意/g },
  { say: '快速，日常，最强', pattern: /小而快/g },
  { say: 'Token', pattern: /[\d}\p{Script=Han}] ?tokens\b/gu },
  { say: '错误', pattern: /故障/g },
  { say: '取消', pattern: /客户端中止/g },
  { say: '首字耗时', pattern: /首字节/g },
  { say: '未提供', pattern: /未上报/g },
  { say: '用量来源', pattern: /计数来源/g },
  { say: '扣费方式', pattern: /由谁支付/g },
  { say: '转发过程', pattern: /尝试过程/g },
  { say: '不存在', pattern: /无此(密钥|模型)/g },
  { say: '余额明细', pattern: /账目/g },
  { say: '余额', pattern: /变动后/g },
  { say: '限额', pattern: /小时窗口|天窗口/g },
  { say: '同步', pattern: /随账户保存/g },
  { say: '主要内容', pattern: /跳到正文/g },
  { say: '列设置', pattern: /显示列/g },
  { say: '流式请求会中断', pattern: /被切断/g },
  { say: '配置文件', pattern: /声明式?文件/g },
  { say: '仅显示一次', pattern: /在此刻/g },
  { say: '使用此上游', pattern: /目标在此/g },
  { say: '测试恢复', pattern: /演练/g },
  { say: '创建账户', pattern: /开户/g },
  { say: '拦截', pattern: /拦下/g },
  { say: '毛利率', pattern: /利润率/g },
  { say: '花费上限', pattern: /支出上限/g },
  { say: '非公开分组', pattern: /封闭分组/g },
  { say: 'Base URL', pattern: /基础 URL/g },
  { say: '定时更改', pattern: /预定/g },
  { say: '您', pattern: /你/g },
  { say: '“ ”', pattern: /[「」]/g },
  { say: '全角冒号', pattern: /\p{Script=Han}: |\p{Script=Han}:['`]/gu },
]

/** Phrases of the console's texts in a language that a native writer would not choose. */
export function checkConsoleWording({ path, text }: SourceFile): Finding[] {
  const wordings = path.endsWith('-zh-cn.ts') ? CHINESE : ENGLISH
  return text.split('\n').flatMap((line, index) =>
    wordings.flatMap(({ say, pattern }) =>
      (line.match(pattern) ?? []).map((phrase) => ({
        file: path,
        line: index + 1,
        what: `"${phrase}": say ${say}`,
      })),
    ),
  )
}
