/** What a page of ours may do in a browser: load and ask this host alone, and be framed by nobody. */
import helmet from 'helmet';

export const pagePolicy = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'style-src': ["'self'"],
      'img-src': ["'self'", 'data:'],
      'connect-src': ["'self'"],
      'base-uri': ["'none'"],
      'form-action': ["'none'"],
      'frame-ancestors': ["'none'"],
    },
  },
  // Whoever serves this over TLS says so there.
  strictTransportSecurity: false,
});
