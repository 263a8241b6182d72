import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CERTIFICATE } from '../../../test/support/localhost-certificate.ts'
import { ConfigurationError, readEnvironment, VARIABLES } from './environment.ts'

const secret = 'k7Qz0vBn3Lw9Xc5Jd8Rf2Tg6Yh1Mp4Sa'

const NO_TELEMETRY = {
  collector: null,
  tracesCollector: null,
  metricsCollector: null,
  collectorHeaders: null,
  collectorProtocol: 'http/protobuf',
  collectorTimeoutMs: 10_000,
  collectorCompression: 'none',
  tracesExporter: 'otlp',
  metricsExporter: 'otlp',
  serviceName: null,
  resourceAttributes: null,
  sampler: 'parentbased_always_on',
  sampledPart: 1,
  queuedSpans: 2_048,
  spanDelayMs: 5_000,
  metricIntervalMs: 60_000,
  isTelemetryDisabled: false,
}

function sentence(environment: Record<string, string>): string {
  try {
    readEnvironment(environment)
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message
    throw error
  }
  throw new Error('nothing was refused')
}

function takes(name: string): string {
  const variable = VARIABLES.find((each) => each.name === name)
  if (variable === undefined) throw new Error(`there is no ${name}`)
  return variable.takes
}

test('an empty environment gives the defaults of the contract', () => {
  expect(readEnvironment({})).toEqual({
    host: '127.0.0.1',
    port: 8787,
    dataDir: './data',
    databaseUrl: null,
    databaseConnections: 12,
    backupDir: null,
    backupEvery: 24,
    backupKeep: 14,
    backupPassphrase: null,
    backupFiles: null,
    backupMaxAgeHours: 26,
    keepUsage: null,
    keepRefusals: null,
    keepTries: null,
    keepAudit: null,
    keepSessions: 30,
    keepAlerts: 90,
    archiveDir: null,
    nextSecret: null,
    saysBalances: null,
    stripeApiUrl: null,
    redisUrl: null,
    secret: null,
    publicUrl: null,
    configPath: null,
    adminToken: null,
    wantsDemo: true,
    hasCors: true,
    trustedProxies: [],
    identityTokenFiles: [],
    identityHosts: [],
    logLevel: 'info',
    metricsPort: null,
    metricsToken: null,
    shutdownDelayMs: 5_000,
    drainMs: 30_000,
    idleTimeoutMs: 300_000,
    streamBeginsWithinMs: 45_000,
    workers: 1,
    heldInputTokens: 200_000,
    heldOutputTokens: 128_000,
    chargesUnanswered: true,
    forwardedHeaders: [],
    storedIds: 'unclaimed',
    unpricedTools: 'refuse',
    alertWebhook: null,
    mail: null,
    oidc: null,
    lowBalance: 1_000_000_000n,
    telemetry: NO_TELEMETRY,
  })
})

test('every variable of OpenTelemetry is read', () => {
  const { telemetry } = readEnvironment({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example.test:4318',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.test/v1/traces',
    OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'https://metrics.example.test/v1/metrics',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-team=red%2C%20blue,authorization=Bearer%20a=b',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    OTEL_TRACES_EXPORTER: 'none',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_SERVICE_NAME: 'gateway',
    OTEL_RESOURCE_ATTRIBUTES: 'a.b=c, d=e',
    OTEL_TRACES_SAMPLER: 'traceidratio',
    OTEL_TRACES_SAMPLER_ARG: '0.25',
    OTEL_BSP_MAX_QUEUE_SIZE: '100',
    OTEL_BSP_SCHEDULE_DELAY: '1000',
    OTEL_METRIC_EXPORT_INTERVAL: '15000',
    OTEL_SDK_DISABLED: 'true',
  })
  expect(telemetry).toEqual({
    collector: 'http://collector.example.test:4318',
    tracesCollector: 'https://traces.example.test/v1/traces',
    metricsCollector: 'https://metrics.example.test/v1/metrics',
    collectorHeaders: { 'x-team': 'red, blue', authorization: 'Bearer a=b' },
    collectorProtocol: 'http/json',
    collectorTimeoutMs: 500,
    collectorCompression: 'gzip',
    tracesExporter: 'none',
    metricsExporter: 'none',
    serviceName: 'gateway',
    resourceAttributes: { 'a.b': 'c', d: 'e' },
    sampler: 'traceidratio',
    sampledPart: 0.25,
    queuedSpans: 100,
    spanDelayMs: 1_000,
    metricIntervalMs: 15_000,
    isTelemetryDisabled: true,
  })
})

test('every variable is read', () => {
  const settings = readEnvironment({
    HOST: '::1',
    PORT: '0',
    TOLLGATE_DATA_DIR: '/var/lib/tollgate',
    DATABASE_URL: 'postgresql://u:p@db.example.test/tollgate',
    TOLLGATE_DATABASE_CONNECTIONS: '5',
    TOLLGATE_BACKUP_HOURS: '6',
    TOLLGATE_BACKUP_KEEP: '3',
    TOLLGATE_BACKUP_PASSPHRASE: 'correct horse battery',
    TOLLGATE_BACKUP_FILES: '/var/backups/tollgate-*.db',
    TOLLGATE_BACKUP_MAX_AGE_HOURS: '8',
    TOLLGATE_KEEP_USAGE_DAYS: '90',
    TOLLGATE_KEEP_REFUSALS_DAYS: '30',
    TOLLGATE_KEEP_TRIES_DAYS: '7',
    TOLLGATE_KEEP_AUDIT_DAYS: '400',
    TOLLGATE_KEEP_SESSIONS_DAYS: '0',
    TOLLGATE_KEEP_ALERTS_DAYS: '60',
    TOLLGATE_ARCHIVE_DIR: '/var/archive',
    TOLLGATE_SECRET_NEXT: 'n'.repeat(32),
    TOLLGATE_BALANCE_READOUTS: '1',
    TOLLGATE_STRIPE_API_URL: 'http://127.0.0.1:12111',
    REDIS_URL: 'rediss://cache.example.test',
    TOLLGATE_SECRET: ` ${secret}\n`,
    TOLLGATE_PUBLIC_URL: 'https://AI.example.test/',
    TOLLGATE_CONFIG: 'tollgate.yaml',
    TOLLGATE_IDLE_TIMEOUT_MS: '90000',
    TOLLGATE_STREAM_BEGINS_WITHIN_MS: '20000',
    TOLLGATE_ADMIN_TOKEN: secret,
    TOLLGATE_CORS: 'false',
    TOLLGATE_DEMO: '0',
    TOLLGATE_TRUSTED_PROXIES: '10.0.0.0/8, ::1',
    TOLLGATE_LOG_LEVEL: 'debug',
    TOLLGATE_METRICS_PORT: '9090',
    TOLLGATE_METRICS_TOKEN: secret,
    TOLLGATE_SHUTDOWN_DELAY_MS: '60000',
    TOLLGATE_DRAIN_MS: '0',
    TOLLGATE_WORKERS: '4',
    TOLLGATE_HELD_INPUT_TOKENS: '50000',
    TOLLGATE_HELD_OUTPUT_TOKENS: '4096',
    TOLLGATE_CHARGE_UNANSWERED: '0',
    TOLLGATE_STORED_IDS: 'any',
    TOLLGATE_UNPRICED_TOOLS: 'allow',
    TOLLGATE_ALERT_WEBHOOK_URL: 'https://hooks.example.test/alerts?to=us',
    TOLLGATE_ALERT_WEBHOOK_SECRET: secret,
    TOLLGATE_SMTP_URL: 'smtps://ada:word@mail.example.test',
    TOLLGATE_MAIL_FROM: 'Tollgate <alerts@example.test>',
    TOLLGATE_LOW_BALANCE_USD: '2.50',
    TOLLGATE_OIDC_ISSUER: 'https://login.example.test',
    TOLLGATE_OIDC_CLIENT_ID: 'tollgate',
    TOLLGATE_OIDC_CLIENT_SECRET: 'word',
    TOLLGATE_IDENTITY_TOKEN_FILES: '/var/run/secrets/openai/token, /run/token',
    TOLLGATE_IDENTITY_HOSTS: 'Gateway.example.com:8443',
  })
  expect(settings).toEqual({
    identityTokenFiles: ['/var/run/secrets/openai/token', '/run/token'],
    identityHosts: ['gateway.example.com:8443'],
    host: '::1',
    port: 0,
    dataDir: '/var/lib/tollgate',
    databaseUrl: 'postgresql://u:p@db.example.test/tollgate',
    databaseConnections: 5,
    backupDir: null,
    backupEvery: 6,
    backupKeep: 3,
    backupPassphrase: 'correct horse battery',
    backupFiles: '/var/backups/tollgate-*.db',
    backupMaxAgeHours: 8,
    keepUsage: 90,
    keepRefusals: 30,
    keepTries: 7,
    keepAudit: 400,
    keepSessions: 0,
    keepAlerts: 60,
    archiveDir: '/var/archive',
    nextSecret: 'n'.repeat(32),
    saysBalances: true,
    stripeApiUrl: 'http://127.0.0.1:12111',
    redisUrl: 'rediss://cache.example.test',
    secret,
    publicUrl: 'https://ai.example.test',
    configPath: 'tollgate.yaml',
    adminToken: secret,
    wantsDemo: false,
    hasCors: false,
    trustedProxies: ['10.0.0.0/8', '::1/128'],
    logLevel: 'debug',
    metricsPort: 9090,
    metricsToken: secret,
    shutdownDelayMs: 60_000,
    drainMs: 0,
    idleTimeoutMs: 90_000,
    streamBeginsWithinMs: 20_000,
    workers: 4,
    heldInputTokens: 50_000,
    heldOutputTokens: 4096,
    chargesUnanswered: false,
    forwardedHeaders: [],
    storedIds: 'any',
    unpricedTools: 'allow',
    alertWebhook: { url: 'https://hooks.example.test/alerts?to=us', format: 'json', key: Buffer.from(secret) },
    mail: {
      server: {
        host: 'mail.example.test',
        port: 465,
        isSecure: true,
        credentials: { user: 'ada', password: 'word' },
      },
      from: { name: 'Tollgate', address: 'alerts@example.test' },
    },
    lowBalance: 2_500_000_000n,
    telemetry: NO_TELEMETRY,
    oidc: {
      issuer: 'https://login.example.test',
      clientId: 'tollgate',
      clientSecret: 'word',
      name: 'login.example.test',
      trustsEmail: false,
    },
  })
})

test('the certificates for the mail server are read with the settings', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-certificates-'))
  const path = join(folder, 'authority.pem')
  await writeFile(path, `# our own\n${CERTIFICATE}`)
  const mail = { TOLLGATE_SMTP_URL: 'smtp://mail.example.test', TOLLGATE_MAIL_FROM: 'alerts@example.test' }
  expect(readEnvironment({ ...mail, TOLLGATE_SMTP_CA_FILE: path }).mail?.authorities).toContain(CERTIFICATE)
  await writeFile(path, CERTIFICATE.replace('MII', 'MIX'))
  expect(sentence({ ...mail, TOLLGATE_SMTP_CA_FILE: path })).toContain(takes('TOLLGATE_SMTP_CA_FILE'))
  await rm(folder, { recursive: true })
})

test('a low balance of 0 is none', () => {
  expect(readEnvironment({ TOLLGATE_LOW_BALANCE_USD: '0' }).lowBalance).toBeNull()
})

test.for([
  ['https://AI.example.test/', 'https://ai.example.test'],
  ['https://example.test/gateway', 'https://example.test/gateway'],
  ['https://example.test:8443/a/b//', 'https://example.test:8443/a/b'],
])('the public URL %s is %s', ([given = '', expected]) => {
  expect(readEnvironment({ TOLLGATE_PUBLIC_URL: given }).publicUrl).toBe(expected)
})

test('an empty value counts as unset', () => {
  expect(readEnvironment({ PORT: '', TOLLGATE_SECRET: ' ', DATABASE_URL: '' })).toEqual(readEnvironment({}))
})

test.for([
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '8787x'],
  ['PORT', '1e3'],
  ['HOST', 'http://127.0.0.1'],
  ['HOST', '127.0.0.1:8787'],
  ['TOLLGATE_PUBLIC_URL', 'https://example.test/tollgate?x=1'],
  ['TOLLGATE_PUBLIC_URL', 'https://example.test/toll gate'],
  ['TOLLGATE_PUBLIC_URL', 'https://example.test/v1'],
  ['TOLLGATE_PUBLIC_URL', 'https://example.test/tollgate/v1/'],
  ['TOLLGATE_PUBLIC_URL', 'https://example.test/console'],
  ['TOLLGATE_PUBLIC_URL', 'https://example.test/../up'],
  ['TOLLGATE_PUBLIC_URL', 'example.test'],
  ['TOLLGATE_PUBLIC_URL', 'https://user:word@example.test'],
  ['TOLLGATE_DEMO', 'maybe'],
  ['TOLLGATE_OIDC_ISSUER', 'login.example.test'],
  ['TOLLGATE_TRUSTED_PROXIES', '10.0.0.0/33'],
  ['TOLLGATE_TRUSTED_PROXIES', '10.0.0.0/8,,::1'],
  ['TOLLGATE_TRUSTED_PROXIES', 'fe80::1%eth0'],
  ['TOLLGATE_LOG_LEVEL', 'verbose'],
  ['TOLLGATE_DRAIN_MS', '30s'],
  ['TOLLGATE_SHUTDOWN_DELAY_MS', '60001'],
  ['TOLLGATE_MAIL_FROM', 'alerts'],
  ['TOLLGATE_SMTP_CA_FILE', '/nowhere/authority.pem'],
  // A file, and not one of certificates.
  ['TOLLGATE_SMTP_CA_FILE', import.meta.filename],
  ['TOLLGATE_LOW_BALANCE_USD', '-1'],
  ['TOLLGATE_LOW_BALANCE_USD', '1e3'],
  ['TOLLGATE_LOW_BALANCE_USD', '$5'],
] as const)('%s=%s is refused with name, value and remedy', ([name, value]) => {
  const message = sentence({ [name]: value })
  expect(message).toContain(`${name} is ${JSON.stringify(value)}`)
  expect(message).toContain(`but it must be ${takes(name)}`)
})

test.for([
  ['TOLLGATE_SECRET', 'only-thirty-one-bytes-long-here'],
  ['TOLLGATE_ADMIN_TOKEN', 'too-short'],
  ['TOLLGATE_ADMIN_TOKEN', 'with a space in the middle of it, long enough'],
  ['DATABASE_URL', 'mysql://u:hunter2@db/tollgate'],
  ['DATABASE_URL', 'postgres://db:not-a-port/tollgate'],
  ['REDIS_URL', 'cache.example.test:6379'],
  ['REDIS_URL', 'redis://:hunter2%@cache.example.test:6379'],
  ['REDIS_URL', 'redis://:hunter2@cache.example.test:6379/limits'],
  ['TOLLGATE_ALERT_WEBHOOK_URL', 'ftp://user:hunter2@hooks.example.test'],
  ['TOLLGATE_ALERT_WEBHOOK_URL', 'hooks.example.test/s3cret'],
  ['TOLLGATE_ALERT_WEBHOOK_SECRET', '0123456789abcdef0123456'],
  ['TOLLGATE_ALERT_WEBHOOK_SECRET', 'whsec_not-base64-at-all-but-long-enough-to-be-one'],
  ['TOLLGATE_SMTP_URL', 'mail.example.test:587'],
  ['TOLLGATE_SMTP_URL', 'http://user:hunter2@mail.example.test'],
] as const)('%s is refused with its length, and its value is not shown', ([name, value]) => {
  const message = sentence({ TOLLGATE_SECRET: secret, [name]: value })
  expect(message).toContain(`${name} is set to ${value.length} bytes, but it must be ${takes(name)}`)
  expect(message).not.toContain(value)
})

test.for([
  ['TOLLGATE_ALERT_WEBHOOK_URL', 'https://hooks.example.test/s3cret', 'TOLLGATE_ALERT_WEBHOOK_SECRET'],
  ['TOLLGATE_SMTP_URL', 'smtp://user:hunter2@mail.example.test', 'TOLLGATE_MAIL_FROM'],
  ['TOLLGATE_OIDC_ISSUER', 'https://login.example.test', 'TOLLGATE_OIDC_CLIENT_ID'],
] as const)('%s needs what belongs to it', ([name, value, needed]) => {
  const message = sentence({ [name]: value })
  expect(message).toBe(`${needed} is unset although ${name} is set: give it ${takes(needed)}.`)
  expect(message).not.toMatch(/s3cret|hunter2/)
})

test('a secret is required with DATABASE_URL', () => {
  expect(sentence({ DATABASE_URL: 'postgres://db/tollgate' })).toMatch(/TOLLGATE_SECRET is unset although DATABASE_URL/)
})

test.for([
  ['TOLLGATE_CONFIGS', 'TOLLGATE_CONFIG'],
  ['TOLLGATE_DATADIR', 'TOLLGATE_DATA_DIR'],
  ['TOLLGATE_PORT', 'PORT'],
  ['TOLLGATE_DATABASE_URL', 'DATABASE_URL'],
] as const)('%s is refused and %s is named', ([wrong, meant]) => {
  expect(sentence({ [wrong]: 'x' })).toBe(`${wrong} is not a variable of Tollgate: did you mean ${meant}?`)
})

test('what Kubernetes sets beside a Service called tollgate, and the clients’ own variable, are left alone', () => {
  const environment = {
    TOLLGATE_SERVICE_HOST: '10.0.0.1',
    TOLLGATE_SERVICE_PORT_HTTP: '80',
    TOLLGATE_PORT: 'tcp://10.0.0.1:80',
    TOLLGATE_PORT_80_TCP_ADDR: '10.0.0.1',
    TOLLGATE_API_KEY: 'x',
  }
  expect(readEnvironment(environment)).toEqual(readEnvironment({}))
})

test('every variable says what it means', () => {
  for (const variable of VARIABLES) {
    expect(variable.meaning).not.toBe('')
    expect(variable.takes).not.toBe('')
  }
})

test('backups of the embedded database are refused beside PostgreSQL', () => {
  const backupDir = { TOLLGATE_BACKUP_DIR: '/var/backups' }
  expect(readEnvironment(backupDir)).toMatchObject({ backupDir: '/var/backups' })
  expect(
    sentence({ ...backupDir, DATABASE_URL: 'postgres://u:p@db.example.test/tollgate', TOLLGATE_SECRET: secret }),
  ).toMatch(/^TOLLGATE_BACKUP_DIR is set although DATABASE_URL is:/)
})
