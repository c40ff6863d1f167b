#!/bin/sh
# Runs the tests of what differs between versions of Node: processes, signals, streams, sockets, timers and queues.
exec npx vitest run --configLoader runner \
  test/batch/ test/base/process/ test/base/redis/ test/base/store/ test/base/webhook/ test/base/deadline.test.ts \
  test/cli/api.slow test/cli/demo test/cli/rolling-restart test/cli/run-jobs test/cli/serve test/cli/supervisor \
  test/cli/terminal test/cli/worker \
  test/http/app.test test/http/attacks test/http/batch-events test/http/batches test/http/lists \
  test/http/unread-body test/http/webhooks
