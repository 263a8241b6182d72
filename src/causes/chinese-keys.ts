import type { FactValues, FaultFacts } from '../core/fact-values.ts'
import type { Explanation } from './explanation.ts'

/** What is wrong with what was presented as a key, in Chinese. */
export const KEY_MISTAKES_IN_CHINESE: Readonly<
  Record<FactValues['mistake'], (facts: FaultFacts) => Explanation | null>
> = {
  empty: () => ({ cause: 'API 密钥为空。', remedy: '请填写用于存放密钥的变量或字段。' }),
  variable: () => ({
    cause: '发送的是变量名而不是 API 密钥：变量没有被替换成实际的值。',
    remedy: '请设置该变量，并确认所用程序的变量写法。',
  }),
  placeholder: () => ({
    cause: '发送的是占位文字而不是 API 密钥：客户端的密钥字段或变量还没有填写。',
    remedy: '请在该处填写密钥。',
  }),
  shortened: () => ({
    cause: '发送的是列表中显示的缩略密钥。',
    remedy: '请使用创建密钥时显示的完整内容。',
  }),
  bearer_twice: () => ({
    cause: '“Bearer”出现了两次：客户端会自动添加这个词。',
    remedy: '请只填写 API 密钥本身。',
  }),
  header: () => ({ cause: '密钥字段中填写了整个请求头。', remedy: '请只填写密钥，去掉前面的请求头名称。' }),
  assignment: () => ({ cause: '密钥字段中填写了整行变量赋值。', remedy: '请只填写 “=” 后面的内容。' }),
  quoted: ({ end }) => ({ cause: `${keyIn(end)}两端带有引号。`, remedy: '请去掉引号。' }),
  white_space: ({ where, line_break: isLineBreak }) => ({
    cause: `API 密钥的${where === 'inside' ? '中间' : '前后'}有${isLineBreak === true ? '换行' : '空白字符'}。`,
    remedy: '请重新复制，保持在一行内，前后不要带任何内容。',
  }),
  characters: ({ characters = [] }) =>
    characters.length === 0
      ? null
      : {
          cause: `API 密钥中含有 ${characters.slice(0, 3).join('、')}${characters.length > 3 ? ' 等字符' : ''}，本网关的密钥不会包含这些字符。`,
          remedy: '请重新复制，密钥只包含字母、数字、“-”和“_”。',
        },
  missing: ({ missing, where, end }) => {
    if (missing === undefined) return null
    return where === 'start'
      ? {
          cause: `${keyIn(end)}缺少开头的 ${missing} 个字符：密钥以 “sk-tg-” 开头。`,
          remedy: '请从开头重新复制。',
        }
      : { cause: `${keyIn(end)}不完整，末尾缺少 ${missing} 个字符。`, remedy: '请重新复制，直到最后一个字符。' }
  },
  case: ({ end }) => ({ cause: `${keyIn(end)}的字母大小写被改动了。`, remedy: '请重新复制。' }),
  twice: ({ end }) => ({ cause: `${keyIn(end)}被粘贴了两次。`, remedy: '请只填写一次。' }),
  extra: ({ extra, end }) =>
    extra === undefined
      ? null
      : { cause: `${keyIn(end)}多出 ${extra} 个字符。`, remedy: '请重新复制，不要超出密钥的末尾。' },
  checksum: ({ end }) => ({
    cause: `${keyIn(end)}已损坏：长度正确，但校验码不符。`,
    remedy: '请重新复制。',
  }),
  too_long: ({ length }) =>
    length === undefined
      ? null
      : { cause: `密钥字段中有 ${length} 个字符，远远超过密钥的长度。`, remedy: '请只填写创建时显示的密钥。' },
}

/** Explains a key that has ended, or a secret that was replaced. */
export function expired(
  { end, at, replaced, new_end: newEnd }: FaultFacts,
  time: (text: string) => string,
): Explanation | null {
  if (replaced === true) {
    return {
      cause: `${keyIn(end)}已被轮换后的新密钥取代，${at === undefined ? '现已失效' : `已于 ${time(at)} 失效`}。`,
      remedy: newEnd === undefined ? '请改用新密钥。' : `请改用以 ${newEnd} 结尾的新密钥。`,
    }
  }
  if (at === undefined) return null
  return { cause: `${keyIn(end)}已于 ${time(at)} 过期。`, remedy: '请延长有效期，或新建密钥。' }
}

/** Names the key by the end of its secret. */
export function keyIn(end: string | undefined): string {
  return end === undefined ? 'API 密钥' : `以 ${end} 结尾的 API 密钥`
}
