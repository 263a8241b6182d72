/** The page behind the one-time set-up link, until the console takes its place. */
export function pageOfSetup(isValid: boolean): string {
  const text = isValid
    ? `<h1>Tollgate is running</h1>
<p>The console is not part of this version yet. Until it is, keys and accounts are made on the command line:</p>
<pre>npx tollgate account create --email you@example.com
npx tollgate account credit --email you@example.com --amount 10
npx tollgate key create --account you@example.com --name laptop --group default</pre>
<p>This link stays valid until it is used to sign in to the console.</p>`
    : `<h1>This link is not valid</h1>
<p>It was used already, or belongs to another data directory. Start the gateway on an empty data directory to get a new one.</p>`
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Tollgate</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}
pre{overflow:auto;padding:1rem;border:1px solid #8886;border-radius:.5rem}</style>
<main>${text}</main></html>
`
}
