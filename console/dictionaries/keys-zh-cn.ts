import type { ApiKeyView } from '../../src/contract/keys.ts'
import type { CountField, SpendWindow } from './limit-fields.ts'
import { keySetUpZhCn } from './key-set-up-zh-cn.ts'
import type { texts as english, KeySummaryFacts } from './keys-en.ts'

const periods: Readonly<Record<ApiKeyView['quota_reset'], string>> = {
  never: '总共',
  daily: '每天',
  weekly: '每周',
  monthly: '每月',
}

const windows: Readonly<Record<SpendWindow, string>> = { '5h': '每 5 小时', '1d': '每天', '7d': '每 7 天' }

export const texts: typeof english = {
  proposedNames: {
    mac: '我的 Mac',
    windows: '我的 Windows 电脑',
    linux: '我的 Linux 电脑',
    other: '我的密钥',
  },
  lead: '密钥可以调用其分组内的模型。建议每个客户端使用单独的密钥，便于分别统计用量和停用。',
  list: 'API 密钥',
  baseUrls: {
    title: 'Base URL',
    openai: 'OpenAI 兼容',
    openaiHint: '适用于大多数客户端，客户端会自动添加 /chat/completions 或 /responses。',
    anthropic: 'Anthropic 与 Gemini',
    anthropicHint: '适用于 Claude Code、Gemini CLI 以及 Anthropic 和 Google 的 SDK，客户端会自动添加 /v1 或 /v1beta。',
  },
  statuses: { active: '正常', disabled: '已停用', expired: '已过期', quota_exhausted: '已达上限' },
  columns: {
    name: '名称',
    status: '状态',
    group: '分组',
    spent: '已消费',
    limit: '消费上限',
    activity: '最近 30 天',
    lastUsed: '最近使用',
    expires: '到期时间',
    created: '创建时间',
    models: '模型',
    limits: '速率限制',
    tags: '标签',
    actions: '操作',
  },
  tag: '标签',
  noTags: '还没有标签',
  search: '搜索名称或密钥',
  neverUsed: '尚未使用',
  notFound: '密钥不存在：可能已删除，或属于其他账户。',
  permanent: '永久有效',
  allModels: '分组内全部',
  noLimits: '无限制',
  managed: '配置文件管理',
  managedWhy: '此密钥由配置文件（TOLLGATE_CONFIG）管理。如需更改，请修改文件并重新应用；此页面只能查看、使用和停用。',
  groupOff: '分组已停用',
  overlap: (end, when) => `旧密钥 …${end} ${when}失效`,
  overlapShort: (end, when) => `…${end} ${when}失效`,
  overlapUnused: '轮换后未再使用',
  overlapUsed: (ago) => `${ago}使用过`,
  captured: (until) => `管理员正在抓取请求内容，至 ${until}`,
  ofLimit: (limit) => `/ ${limit}`,
  ofQuota: (limit, reset) => `/ ${periods[reset]} ${limit}`,
  resets: (when) => `${when}重置`,
  raised: (when, limit) => `管理员已临时提高，${when}恢复为 ${limit}`,
  spendMeter: (name) => `${name} 的消费上限使用比例`,
  limitParts: {
    counts: {
      concurrency: (count) => `并发 ${count}`,
      requests_per_minute: (count) => `每分钟 ${count} 次请求`,
      tokens_per_minute: (count) => `每分钟 ${count} Token`,
    },
    spend: (amount, window) => `${windows[window]} ${amount}`,
  },
  empty: { title: '还没有密钥', text: '填写名称即可创建第一个密钥。' },
  actionsOf: (name) => `${name} 的更多操作`,
  use: '使用密钥',
  useOf: (name) => `使用 ${name}`,
  import: '导入到应用',
  test: '检查',
  edit: '编辑',
  rotate: '轮换密钥',
  disable: '停用',
  enable: '启用',
  delete: '删除',
  create: '新建密钥',
  form: {
    title: '新建密钥',
    editTitle: (name) => `编辑 ${name}`,
    name: '名称',
    nameTaken: (name, end) => `已有名为 ${name} 的密钥（以 ${end} 结尾）。建议换一个名称以便区分。`,
    nameHint: '写明用途，例如“笔记本”或“每日报表”。每条请求记录中都会显示。',
    group: '分组',
    groupPlaceholder: '选择分组',
    groupModels: (count) => `${count} 个模型`,
    groupLacks: (names) => `不支持 ${names}`,
    groupClosed: '需要相应的订阅',
    groupOff: '已停用',
    noGroup: '目前没有您可用的分组，请联系管理员。',
    validity: '有效期',
    validities: { permanent: '永久有效', days: (count) => `${count} 天`, date: '指定日期', unchanged: '保持不变' },
    lastDay: '到期日',
    validUntil: (date) => `有效至 ${date}。`,
    validAtMost: (days) => `此处最长有效期为 ${days} 天。`,
    more: '高级设置',
    moreSummary: '速率限制、模型、IP 白名单、备用分组、标签、自定义密钥',
    moreSummaryEdit: '速率限制、模型、IP 白名单、备用分组、标签',
    quota: '消费上限',
    quotaHint: '单位为美元。留空则不限制。',
    quotaReset: '重置周期',
    quotaMost: (most) => `此分组最多 ${most}。`,
    resets: { never: '不重置', daily: '每天（UTC）', weekly: '每周一（UTC）', monthly: '每月（UTC）' },
    limits: '速率限制',
    limitsHint: '留空则不限制。',
    counts: {
      concurrency: '并发请求数',
      requests_per_minute: '每分钟请求数',
      tokens_per_minute: '每分钟 Token 数',
    },
    spend: '周期限额',
    spendHint: '单位为美元。每个周期从第一次请求开始计时。',
    windows: { '5h': '5 小时', '1d': '1 天', '7d': '7 天' },
    models: '可用模型',
    modelsHint: '留空则可使用分组内的全部模型，包括以后新增的模型。',
    modelsPlaceholder: '分组内全部模型',
    ips: 'IP 白名单',
    ipsHint: 'IP 地址或网段，例如 10.0.0.0/8，每行一个。留空则不限制。',
    fallback: '备用分组',
    fallbackHint: '当前分组不提供某个模型，或其上游均无响应时，按此顺序尝试其他分组。费用按实际处理请求的分组计算。',
    fallbackPlaceholder: '无',
    tags: '标签',
    tagsHint: '例如团队、项目或成本中心，用逗号分隔。用量页面会按标签汇总消费。',
    tagsOffered: '其他密钥的标签',
    addTag: (tag) => `添加标签 ${tag}`,
    responseCache: '响应缓存',
    responseCacheHint: '该分组可将已保存的响应用于完全相同的请求，并按缓存价格计费。',
    responseCaches: {
      group: '跟随分组',
      key: '仅限此密钥的响应',
      off: '关闭',
    },
    custom: '自定义密钥',
    customHint: '不建议使用。自动生成的密钥无法被猜到，复制不完整时网关也能立即发现。仅适用于迁移程序已在使用的密钥。',
    customKey: '完整密钥',
    customKeyHint: '20 到 128 个字母、数字、“-”或“_”，不易被猜到，且不能以 sk-tg- 开头。',
    submit: '创建密钥',
    saved: (name) => `${name} 已保存`,
    unchanged: '没有更改。',
  },
  objections: {
    required: '此项必填。',
    name_long: '名称最多 100 个字符。',
    date_missing: '请选择日期。',
    date_past: '请选择将来的日期。',
    amount_unreadable: '请填写美元金额，例如 12.50 或 1,234.50。',
    count_unreadable: '请填写不小于 1 的整数，例如 60。',
    address_unreadable: '请填写 IP 地址或网段，例如 10.0.0.0/8，每行一个。',
    tag_form: '每个标签最多 40 个字符，不能包含引号或反斜杠。',
    tags_many: '最多 20 个标签。',
    custom_form: '需要 20 到 128 个字母、数字、“-”或“_”，且不能以 sk-tg- 开头。',
  },
  summaryLabel: '摘要',
  summary: summarySentence,
  secret: {
    title: (name) => `${name} 已创建`,
    rotatedTitle: (name) => `${name} 的新密钥`,
    once: '完整密钥仅显示一次，请立即复制并保存。',
    label: '完整密钥',
    copy: '复制完整密钥',
    environment: '.env',
    setUp: '配置客户端',
    import: '导入',
    test: '测试',
    code: '完整密钥的二维码',
    codeHint: '请使用能读取文本的扫码应用，不要用会上网搜索其内容的应用。拍到此二维码的人都能使用您的密钥。',
    environmentLead: '请勿将此文件提交到代码仓库。',
    saved: '我已保存完整密钥',
    done: '完成',
    leaveTitle: '尚未保存完整密钥，确定关闭？',
    leaveText: '您尚未复制或保存完整密钥。关闭后无法再次查看，只能轮换密钥。',
    leave: '仍要关闭',
    stay: '返回',
    lost: '密钥已创建，但连接中断，未能收到完整密钥，而它只发送一次。请轮换密钥以重新获取。',
  },
  rotation: {
    title: (name) => `轮换 ${name}`,
    lead: '将生成新密钥，仅显示一次。名称、限制和历史记录保持不变。',
    overlap: '旧密钥',
    overlaps: { none: '已泄露：立即失效', hour: '保留 1 小时', day: '保留 24 小时', week: '保留 7 天' },
    overlapDetails: {
      none: '旧密钥立即停用，正在进行的请求会中断。',
      hour: '足够更新一个客户端。',
      day: '适用于日常更换，足够更新几台设备。',
      week: '适合不常使用的设备。',
    },
    running: (end, until) => `此前的密钥（…${end}）仍可使用至 ${until}，现在轮换会使其立即失效。`,
    submit: '轮换密钥',
    submitNow: '轮换并停用旧密钥',
    overlapSaid: (until) => `旧密钥可使用至 ${until}，列表中会显示其最近使用时间。`,
    stopped: '旧密钥已失效。',
  },
  confirm: {
    deleteTitle: (name) => `删除 ${name}？`,
    deleteText: '密钥将立即失效，正在进行的请求会中断。用量记录会保留。此操作无法撤销。',
    deleteUnused: '此密钥从未使用过。',
    deleteUsed: (when) => `最近使用：${when}。`,
    deleteAction: '删除密钥',
    disableTitle: (name) => `停用 ${name}？`,
    disableText: '密钥将立即失效，正在进行的请求会中断。之后可以重新启用。',
    disableAction: '停用密钥',
    deleted: (name) => `${name} 已删除`,
    disabled: (name) => `${name} 已停用`,
    enabled: (name) => `${name} 已启用`,
    bulkDeleteTitle: (count) => `删除 ${count} 个密钥？`,
    bulkDisableTitle: (count) => `停用 ${count} 个密钥？`,
    bulkDeleteText: '这些密钥将立即失效，正在进行的请求会中断。用量记录会保留。此操作无法撤销。',
    bulkDisableText: '这些密钥将立即失效，正在进行的请求会中断。之后可以重新启用。',
    bulkDeleteAction: (count) => `删除 ${count} 个密钥`,
    bulkDisableAction: (count) => `停用 ${count} 个密钥`,
    andMore: (count) => `另外 ${count} 个`,
    bulkDone: (count) => `已更改 ${count} 个密钥`,
    bulkFailed: (count) => `${count} 个密钥更改失败`,
  },
  testing: {
    running: '正在检查…',
    good: (count) => `密钥可用，可调用 ${count} 个模型。`,
    bad: '当前使用此密钥的请求会被拒绝。',
    models: '当前可调用的模型',
    again: '重新检查',
  },
  activity: {
    today: (amount) => `今天 ${amount}`,
    label: (name, total) => `${name}：最近 30 天消费 ${total}`,
  },
  noCredit: {
    title: '没有可用额度',
    text: '您的账户没有余额，也没有订阅，使用这些密钥的请求会被拒绝。',
    action: '充值',
  },
  ...keySetUpZhCn,
}

const countParts: Readonly<Record<CountField, (count: string) => string>> = {
  concurrency: (count) => `最多 ${count} 个并发`,
  requests_per_minute: (count) => `每分钟 ${count} 次请求`,
  tokens_per_minute: (count) => `每分钟 ${count} Token`,
}

function summarySentence(facts: KeySummaryFacts): string {
  const name = facts.name === '' ? '这个密钥' : `“${facts.name}”`
  const spending =
    facts.quota === null
      ? '消费仅受余额限制'
      : `${periods[facts.quota.reset]}最多消费 ${facts.quota.amount}${facts.quota.inAll === null ? '' : `，到期前合计 ${facts.quota.inAll}`}`
  const sentences = [
    `${name}可调用${modelsOf(facts)}。`,
    `${facts.until === null ? '永久有效' : `有效至 ${facts.until}`}，${spending}。`,
  ]
  const limits = [
    ...facts.counts.map(({ field, count }) => countParts[field](count)),
    ...facts.spend.map(({ amount, window }) => `${windows[window]} ${amount}`),
  ]
  if (limits.length > 0) sentences.push(`限制：${limits.join('、')}。`)
  if (facts.addresses > 0) sentences.push(`仅限 ${facts.addresses} 个 IP 地址或网段使用。`)
  if (facts.isCustom) sentences.push('使用自定义密钥。')
  return sentences.join('')
}

function modelsOf({ group, multiplier, models, fallbackGroups }: KeySummaryFacts): string {
  if (group === '') return '所选分组的模型（请先选择分组）'
  // Chinese punctuation brings its own room; Latin letters need a space.
  const price = multiplier === null || multiplier === '1' ? ' ' : `（价格 ×${multiplier}）`
  const others = fallbackGroups.length === 0 ? '' : `，备用分组依次为 ${fallbackGroups.join('、')}`
  if (models.kind === 'chosen') {
    const chosen = models.names.length <= 2 ? `的 ${models.names.join('、')}` : `选定的 ${models.names.length} 个模型`
    return `分组 ${group}${price}${chosen}${others}`
  }
  const count = models.count === null ? '全部模型' : `全部 ${models.count} 个模型`
  return `分组 ${group}${price}的${count}${others}`
}
