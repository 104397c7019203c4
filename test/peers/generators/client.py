"""Ten calls by the client that openapi-python-client generated into the package api. Prints the answers."""

import json
import os
from datetime import date

from api import AuthenticatedClient
from api.api.device import upload_usage
from api.api.install import plan_install
from api.api.library import get_library
from api.api.license_ import check_license
from api.api.orders import list_invoices
from api.api.products import get_product, get_update, list_products, list_releases
from api.api.support import report_problem
from api import models

client = AuthenticatedClient(
    base_url=os.environ["API_URL"], token=os.environ["API_KEY"], raise_on_unexpected_status=True
)

day = models.UsageBodyDaysItem(product_id=4, usage_date=date.fromisoformat(os.environ["TODAY"]), launches=3)
report = models.SupportReportBody(kind=models.SupportReportBodyKind.GENERAL, summary="A report", detail="From a generated client.")
answers = [
    len(get_library.sync(client=client).items),
    [one.id for one in list_products.sync(client=client, q="hash", sort=models.ListProductsSort.NAME).products],
    get_product.sync(4, client=client).product.name,
    len(list_releases.sync(4, client=client).releases),
    get_update.sync(4, client=client, version="1.0.0", platform=models.GetUpdatePlatform.LINUX_AMD64).update.update_available,
    plan_install.sync(4, client=client, platform=models.PlanInstallPlatform.LINUX_AMD64).data.filename,
    check_license.sync(client=client, body=models.LicenseCheckBody(product_id=4, device_id="generated")).code,
    upload_usage.sync(client=client, body=models.UsageBody(consent=True, days=[day])).stored,
    report_problem.sync(client=client, body=report, idempotency_key="python").ticket.id,
    len(list_invoices.sync(client=client, limit=5).invoices),
]
print(json.dumps(answers))
