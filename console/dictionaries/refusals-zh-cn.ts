import type { RefusalsTexts } from './refusals-en.ts'

export const refusalsZhCn: RefusalsTexts = {
  callerGot: '客户端收到的提示：',
  callerGotQuoted: '客户端收到的是服务商的原始提示。其中可能包含提示词内容，因此没有保存。',
  others: (count) => `网关共尝试了 ${count} 个上游。`,
  fix: {
    editQuota: '提高额度',
    editExpiry: '延长有效期',
    editRate: '修改限制',
    editGroup: '更换分组',
    editModels: '修改可用模型',
    editAddresses: '修改 IP 白名单',
    allowModel: (model) => `允许使用 ${model}`,
    allowAddress: (address) => `允许 ${address}`,
    enable: '启用密钥',
    rotate: '重新生成密钥',
    create: '创建密钥',
    copyUrl: (url) => `复制 ${url}`,
    copyModel: (model) => `复制 ${model}`,
    models: '查看模型',
    credit: '充值或兑换',
    askAdmin: '复制给管理员的消息',
    title: '解决方法',
    done: '已完成，请重新发送请求。',
    gone: '该密钥已删除。',
    managed: '此密钥由配置文件管理，请联系管理员在文件中修改。',
  },
  toAdmin: ({ title, cause, remedy, id, time, origin }) =>
    [`您好，我在 ${origin} 的一个请求失败了：${title}。`, cause, remedy, `请求 ID：${id}`, `时间：${time}`].join('\n'),
}
