import { formatDate } from '../format/time.ts'
import type { FieldFormTexts } from './field-forms-en.ts'

export const fieldFormsZhCn: FieldFormTexts = {
  text: () => '请填写文本。',
  number: () => '请填写数字。',
  whole_number: () => '请填写整数。',
  boolean: () => '请填写 true 或 false。',
  list: () => '请填写列表。',
  object: () => '请填写对象。',
  null: () => '此项须留空。',
  at_least: ([size = '']) => `请填写不小于 ${size} 的值。`,
  at_most: ([size = '']) => `请填写不大于 ${size} 的值。`,
  characters_at_least: ([size = '']) => (size === '1' ? '此项必填。' : `至少需要 ${size} 个字符。`),
  characters_at_most: ([size = '']) => `最多 ${size} 个字符。`,
  entries_at_least: ([size = '']) => `至少需要 ${size} 项。`,
  entries_at_most: ([size = '']) => `最多 ${size} 项。`,
  multiple_of: ([size = '']) => `请填写 ${size} 的倍数。`,
  one_of: (values) => `请选择其中一项：${values.join('、')}。`,
  time: () => '请填写时间，例如 2027-01-31T00:00:00Z。',
  email: () => '请输入有效的邮箱地址。',
  url: () => '请填写以 http:// 或 https:// 开头的网址。',
  usd: () => '请填写美元金额，例如 12.50。',
  factor: () => '请填写倍率，例如 1 或 0.8。',
  plain_name: () => '不能包含换行或控制字符。',
  custom_key: () => '需要 20 到 128 个字母、数字、“-”或“_”。',
  key_tag: () => '标签不能包含逗号、引号或反斜杠。',
  address_range: () => '请填写 IP 地址或网段，例如 10.0.0.0/8。',
  known_field: () => '当前版本的服务器不支持此字段，请重新加载页面。',
  usable_group: (values) =>
    values.length === 0
      ? '目前没有您可用的分组，请联系管理员。'
      : `您不能使用这个分组，可选的分组：${values.join('、')}。`,
  other_group: () => '每个分组只能选择一次，且不能是密钥自身的分组。',
  usable_model: () => '您不能使用这个模型，可用的模型请见“模型”页面。',
  time_to_come: () => '请选择将来的日期。',
  time_until: ([latest, days]) =>
    latest === undefined || days === undefined
      ? '请选择更早的日期。'
      : `请选择 ${formatDate(latest, 'zh-CN')}之前的日期，此处最长有效期为 ${days} 天。`,
  each_window_once: () => '每个周期只能设置一次。',
}
