/**
 * A program of its own: `apt-install.ts <package>…` installs Debian packages for the tests, as root, and leaves no
 * service running and no database cluster behind that the installation itself made. Run one at a time (under `flock`).
 */
import { execFile } from 'node:child_process'
import { access, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const UPDATE_TIMEOUT_MS = 180_000
const INSTALL_TIMEOUT_MS = 600_000
const LISTS_LOCK_TRIES = 60
const LISTS_LOCK_PAUSE_MS = 2_000
const DPKG_LOCK_WAIT_SECONDS = 300
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024

/** Debian asks this program whether a freshly installed service may start; 101 means no. */
const START_POLICY = '/usr/sbin/policy-rc.d'
const START_NOTHING = '#!/bin/sh\nexit 101\n'

const run = promisify(execFile)
const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_SUSPEND: '1', LC_ALL: 'C' }

const packages = process.argv.slice(2)
const clustersBefore = await databaseClusters()
const ownPolicy = await forbidServiceStarts()
try {
  await updateLists()
  await installPackages()
} finally {
  if (ownPolicy) await rm(START_POLICY, { force: true })
}
await removeNewClusters()
await disableServices()

/** Returns whether this call made the policy: one that stood there before is left as it is. */
async function forbidServiceStarts(): Promise<boolean> {
  return writeFile(START_POLICY, START_NOTHING, { mode: 0o755, flag: 'wx' }).then(
    () => true,
    () => false,
  )
}

/** A failed update does not stop it: a broken third-party source fails it too, and the lists at hand may do. */
async function updateLists(): Promise<void> {
  for (let tries = 1; tries <= LISTS_LOCK_TRIES; tries += 1) {
    try {
      await run('apt-get', ['update', '-q'], { env: environment, timeout: UPDATE_TIMEOUT_MS })
      return
    } catch (cause) {
      // `DPkg::Lock::Timeout` does not cover the lock on the package lists.
      if (!String(cause).includes('Could not get lock')) return void process.stderr.write(`${String(cause)}\n`)
      await new Promise((resolve) => setTimeout(resolve, LISTS_LOCK_PAUSE_MS))
    }
  }
}

async function installPackages(): Promise<void> {
  const options = ['-o', `DPkg::Lock::Timeout=${DPKG_LOCK_WAIT_SECONDS}`, '-o', 'Dpkg::Options::=--force-confold']
  const words = ['install', '-y', '-q', '--no-install-recommends', ...options, ...packages]
  await run('apt-get', words, { env: environment, timeout: INSTALL_TIMEOUT_MS, maxBuffer: OUTPUT_LIMIT_BYTES }).catch(
    (cause: unknown) => {
      process.stderr.write(cause instanceof Error && 'stderr' in cause ? String(cause.stderr) : String(cause))
      process.exitCode = 1
    },
  )
}

/** `version name` of each cluster that Debian's PostgreSQL tools know; none where the tools are missing. */
async function databaseClusters(): Promise<string[]> {
  const listing = await run('pg_lsclusters', ['--no-header']).catch(() => ({ stdout: '' }))
  return listing.stdout
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/).slice(0, 2).join(' '))
}

async function removeNewClusters(): Promise<void> {
  for (const cluster of await databaseClusters()) {
    if (!clustersBefore.includes(cluster)) await run('pg_dropcluster', ['--stop', ...cluster.split(' ')])
  }
}

/** So that the next boot starts nothing either. */
async function disableServices(): Promise<void> {
  for (const name of packages) {
    const unit = `${name}.service`
    const exists = await access(`/lib/systemd/system/${unit}`).then(
      () => true,
      () => false,
    )
    if (exists)
      await run('systemctl', ['disable', '--now', unit])
        .catch(() => run('systemctl', ['disable', unit]))
        .catch(() => {})
  }
}
