import { type ChangeRecord, forgetChanges, listChanges, readChanges } from '../changes/change-record.ts'
import { shownDiff } from '../changes/shown-diff.ts'
import { writeFiles } from '../changes/write-files.ts'
import { clientNamed } from '../clients/all-clients.ts'
import { endSecret } from '../gateway/device.ts'
import { Failure, type Host } from '../host.ts'
import { readSignIn } from '../kept/sign-in-store.ts'
import { removeFile } from '../kept/whole-file.ts'
import { prepareFiles } from './use.ts'

/** Takes back what this program wrote for clients, and ends their stored secrets. What others changed since stays. */
export async function unuse(
  host: Host,
  { clients, isAgreed }: { readonly clients: readonly string[]; readonly isAgreed: boolean },
): Promise<number> {
  const records = clients.length === 0 ? listChanges(host) : clients.map((name) => recordOf(host, name))
  if (records.length === 0) host.print('This program has set up no client here.\n')
  let areAllBack = true
  for (const record of records) {
    const isBack = await takeBack(host, record, isAgreed).catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error
      host.remark(`${record.name}: ${error.message}\n`)
      return false
    })
    areAllBack = isBack && areAllBack
  }
  return areAllBack ? 0 : 1
}

function recordOf(host: Host, typed: string): ChangeRecord {
  const { id, name } = clientNamed(typed)
  const record = readChanges(host, id)
  if (record === null) throw new Failure(`${name} was not set up by this program.`)
  return record
}

async function takeBack(host: Host, record: ChangeRecord, isAgreed: boolean): Promise<boolean> {
  const files = await prepareFiles(host, [], record)
  host.print(`\n${record.name}\n`)
  for (const file of files) if (file.current !== file.after) host.print(shownDiff(file))
  const answer = isAgreed || (await host.confirm('Take this back?'))
  if (answer === null)
    throw new Failure('There is no terminal to ask in: nothing is changed. Add --yes to agree beforehand.')
  if (!answer) {
    host.print('Nothing is changed.\n')
    return true
  }
  await writeFiles(host, record.client, { files, hasSecret: false })
  const kept = files.flatMap(({ path, kept: names }) => names.map((name) => `${name} in ${path}`))
  for (const name of kept) host.print(`Changed since, so it stays as it is: ${name}\n`)
  if (kept.length === 0) for (const { backup } of record.files) if (backup !== null) removeFile(backup)
  await endStored(host, record)
  forgetChanges(host, record.client)
  host.print(`${record.name} is as it was${kept.length === 0 ? '' : ', but for that'}.\n`)
  return true
}

async function endStored(host: Host, { gateway, secretId, name }: ChangeRecord): Promise<void> {
  const signIn = secretId === null ? null : readSignIn(host, gateway)
  if (secretId === null || signIn === null) return
  await endSecret(host, signIn, secretId).catch((error: unknown) => {
    const why = error instanceof Failure ? ` ${error.message}` : ''
    host.remark(`The secret of ${name} could not be ended: end it at ${gateway}/console/keys.${why}\n`)
  })
}
