import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

// To be loaded before the program of a process of its own (`node --import`): adds the URL of each module that it and its threads
// load to the file LOADED_INTO, a line each.

const file = process.env['LOADED_INTO']
if (file !== undefined) {
  registerHooks({
    load(url, context, next) {
      appendFileSync(file, `${url}\n`)
      return next(url, context)
    },
  })
}
