import files from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

// To be loaded before the program of a process of its own (`node --import`), which is killed from one instruction to the next:
// before KILL_BEFORE, such as `rename /to/this/path` or `chmod /this/path`, or once it `says these words`.

const [call = '', ...rest] = (process.env['KILL_BEFORE'] ?? '').split(' ')
const what = rest.join(' ')
const { rename, chmod } = files
const say = process.stderr.write.bind(process.stderr)

function kill(): void {
  process.kill(process.pid, 'SIGKILL')
}

files.rename = async (from, to) => {
  if (call === 'rename' && String(to) === what) kill()
  await rename(from, to)
}
files.chmod = async (path, mode) => {
  if (call === 'chmod' && String(path) === what) kill()
  await chmod(path, mode)
}
process.stderr.write = (text: string | Uint8Array) => {
  const isSaid = say(text)
  if (call === 'says' && String(text).includes(what)) kill()
  return isSaid
}
syncBuiltinESMExports()
