/** A declarative file with long names and long lists, as an export writes it. */
export function largeFile({ accounts, keys }: { readonly accounts: number; readonly keys: number }): string {
  const email = (number: number) => `ada.lovelace.with.a.long.name.${number}@department-${number}.example.test`
  const lines = [
    'upstreams:',
    '  - { name: up, protocol: openai, base_url: "https://api.example.test/v1", credential: sk-up }',
    'models:',
    ...MODELS.map((name) => `  - { name: ${name}, price: { input: "1", output: "2" }, targets: [{ upstream: up }] }`),
    'groups:',
    '  - { name: default, models: ["*"] }',
    '  - { name: other, models: ["*"] }',
    'accounts:',
  ]
  for (let number = 0; number < accounts; number++) {
    lines.push(
      `  - email: ${email(number)}`,
      '    balance: "12.345678"',
      '    limits:',
      '      requests_per_minute: 100',
    )
    lines.push('      spend:', '        - window: 1d', '          usd: "5"', '    open_groups:', '      - other')
  }
  lines.push('keys:')
  for (let number = 0; number < keys; number++) {
    const hash = `${'h'.repeat(36)}${String(number).padStart(7, '0')}`
    // Names may have 100 characters, of up to three bytes each where they are Chinese.
    const name = `${number} ${'密钥名称'.repeat(25)}`.slice(0, 100)
    lines.push(
      `  - account: ${email(number % accounts)}`,
      `    secret_hash: "${hash}"`,
      '    secret_start: "sk-tg-abcd"',
    )
    lines.push(
      '    secret_end: "wxyz"',
      `    name: "${name}"`,
      '    group: default',
      '    fallback_groups:',
      '      - other',
    )
    lines.push(
      '    quota_limit: "100"',
      '    quota_reset: monthly',
      '    rate_limit:',
      '      requests_per_minute: 60',
      '      tokens_per_minute: 100000',
    )
    lines.push(
      '    expires_at: 2099-01-31T00:00:00Z',
      '    allowed_models:',
      ...MODELS.map((model) => `      - ${model}`),
    )
    lines.push(
      '    allowed_ips:',
      '      - 10.0.0.0/8',
      '      - 192.168.1.0/24',
      '    tags:',
      '      - team-a',
      '      - live',
    )
  }
  return `${lines.join('\n')}\n`
}

const MODELS = ['model-a', 'model-b', 'model-c']
