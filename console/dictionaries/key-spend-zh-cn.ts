import type { KeySpendTexts } from './key-spend-en.ts'

export const keySpendZhCn: KeySpendTexts = {
  title: '密钥消费明细',
  lead: '各密钥在所选时间段内的用量，以及与上一个同等时长的对比。',
  back: '用量',
  csv: '下载 CSV',
  list: '按消费排列的密钥',
  columns: {
    key: '密钥',
    requests: '请求数',
    tokens: 'Token',
    cost: '消费',
    share: '占比',
    change: '变化',
  },
  keyGone: (id) => `已删除的密钥 ${id}`,
  failed: (count) => `失败 ${count}`,
  fresh: '新增',
  same: '基本持平',
  before: (amount) => `此前：${amount}`,
  none: '该时间段内没有请求',
  noneText: '请选择其他时间段，或在“用量”页面查看所有请求。',
  inAll: (amount, from, to) => `合计 ${amount}，${from} 至 ${to}`,
}
