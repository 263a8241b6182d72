import type { RateLimitView } from '../../src/contract/keys.ts'
import type { KeyTexts } from './key-en.ts'

type SpendWindow = RateLimitView['spend'][number]['window']

const windows: Readonly<Record<SpendWindow, string>> = { '5h': '每 5 小时', '1d': '每天', '7d': '每 7 天' }

export const keyZhCn: KeyTexts = {
  detail: {
    back: '全部密钥',
    missing: '该密钥不存在，或已被删除。',
    limits: '限额',
    noLimits: '此密钥未设置额度和速率限制，仅受余额和账户限额约束。',
    counted: {
      concurrency: '并发请求',
      requests_per_minute: '最近一分钟的请求',
      tokens_per_minute: '最近一分钟的 Token',
    },
    of: (used, limit) => `${used} / ${limit}`,
    quota: '额度',
    window: (window) => `${windows[window]}消费`,
    resets: (when) => `${when}重置`,
    pace: (days, date) =>
      days === 0 ? '按最近 7 天的速度，不到一天就会用完。' : `按最近 7 天的速度，还可使用约 ${days} 天，到 ${date}。`,
    paceEnough: '按最近 7 天的速度，可用到额度重置。',
    paceYears: '按最近 7 天的速度，可用一年以上。',
    opens: '从下一次扣费开始计算',
    use: '用量',
    today: '今天',
    days: '最近 30 天',
    ever: '累计',
    lastClient: '最近使用的客户端',
    lastModel: '最近使用的模型',
    lastAddress: '最近使用的 IP 地址',
    figures: (cost, requests) => `${cost} · ${requests}`,
    requestCount: (_count, shown) => `${shown} 个请求`,
    requests: '最近请求',
    failed: '最近错误',
    noRequests: '还没有请求。',
    noFailed: '无。',
    allRequests: '全部请求',
    setUp: '配置与测试',
    facts: '设置',
    allAddresses: '不限',
    history: '变更记录',
    noHistory: '没有通过控制台或 API 进行过变更。',
    actions: {
      'key.create': '创建',
      'key.update': '修改',
      'key.rotate': '轮换密钥',
      'key.enable': '启用',
      'key.disable': '停用',
      'key.delete': '删除',
    },
    byYou: (address) => `由您操作，来自 ${address}`,
    byAdmin: '由管理员操作',
  },
  message: {
    title: '测试消息',
    model: '模型',
    send: '发送测试消息',
    about: (model) => `用此密钥请 ${model} 回答一个词。`,
    price: (most, tokens) => `这是真实请求：最多 ${tokens} 个 Token，费用不超过 ${most}。`,
    answered: (model) => `${model} 已回答`,
    tokens: (input, output) => `输入 ${input} Token，输出 ${output} Token`,
    record: '查看请求',
    stopped: (stage, what) => `${stage}未通过：${what}`,
    noAnswer: '未在限定时间内响应',
    stages: {
      key: '密钥验证',
      model: '模型检查',
      funds: '额度与限速检查',
      gateway: '网关处理',
      provider: '模型服务商',
      answered: '响应',
    },
    clientGets: (message) => `客户端会收到：“${message}”`,
  },
}
