"""Gives an S3 key the form of a user of Swift's tempauth, `account:user`. What is signed has no key, so the signature holds."""


def factory(_, access_key, **_name):
    def build(app):
        def keys(env, start_response):
            given = env.get("HTTP_AUTHORIZATION")
            if given is not None:
                env["HTTP_AUTHORIZATION"] = given.replace(f"Credential={access_key}/", f"Credential={access_key}:user/", 1)
            return app(env, start_response)

        return keys

    return build
